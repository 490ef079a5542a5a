// channel:config, channel:allow and channel:deny: how a channel behaves, and who may speak to its
// agent.
#include "cli/channel/commands.h"
#include "cli/channel/making.h"
#include "cli/channel/signal_request.h"
#include "cli/run_documents.h"
#include "cli/text.h"
#include "journal/clock.h"

namespace reprise {
namespace {

/// What is to change; an empty object: nothing.
Document read_setting_changes(const Arguments& arguments, const Session& session) {
  Document changes = Document::object();
  if (Document settings = read_settings(arguments, session); !settings.empty()) {
    changes["settings"] = std::move(settings);
  }
  if (const auto name = arguments.value("--name")) changes["name"] = checked_text(*name, "--name");
  if (const auto dir = arguments.value("--dir")) changes["dir"] = folder_flag(*dir, session);
  return changes;
}

Reply show_settings(const Session& session, const RunHandle& run) {
  const RunState state = read_state(*run.dir).state;
  Reply reply{.document = run_document(run, state)};
  const int64_t now_ms = session.context().clock.now_ms();
  reply.document["recorded"] = false;
  reply.document["dryRun"] = false;
  reply.document["at"] = format_time(now_ms);
  reply.document["runStatus"] = status_name(state.status());
  reply.document["pending"] = pending_effects(state, now_ms);
  reply.document["channel"] = ask_channel(session, run, {{"ask", "channel"}});
  return reply;
}

Document names_flag(const std::vector<std::string>& words, const char* flag) {
  Document list = Document::array();
  for (const auto& word : words) list.push_back(checked_text(word, flag));
  return list;
}

Reply permit(const Arguments& arguments, const std::string& signal) {
  const Session session(arguments);
  const RunHandle run = find_channel(session, arguments);
  SignalRequest request{.signal = signal};
  request.value = {{"users", names_flag(arguments.values("--user"), "--user")},
                   {"roles", names_flag(arguments.values("--role"), "--role")}};
  if (request.value["users"].empty() && request.value["roles"].empty()) {
    throw Error(Exit::kUsage, "INVALID_ARGUMENT", "nobody is named",
                "as in --user anna, or --role staff");
  }
  if (signal == "channel.allow") request.value["role"] = arguments.value("--as").value_or("member");
  request.value["by"] = by_flag(arguments, session);
  request.question = {{"ask", "channel"}};
  request.answer = "channel";
  return tell_channel(arguments, session, run, request);
}

std::string flattened(const Document& value, const std::string& prefix) {
  if (!value.is_object()) return "  " + prefix + " = " + shown(value.dump()) + "\n";
  std::string out;
  for (const auto& [name, member] : value.items()) {
    out += flattened(member, prefix.empty() ? name : prefix + "." + name);
  }
  return out;
}

}  // namespace

Reply channel_config(const Arguments& arguments) {
  const Session session(arguments);
  const RunHandle run = find_channel(session, arguments);
  const Document changes = read_setting_changes(arguments, session);
  if (changes.empty()) return show_settings(session, run);
  SignalRequest request{.signal = "channel.configure", .value = changes};
  request.question = {{"ask", "channel"}};
  request.answer = "channel";
  return tell_channel(arguments, session, run, request);
}

std::string channel_config_text(const Document& document, const Style& style) {
  const bool changed = document["recorded"] || document["dryRun"];
  std::string out = changed ? told_text(document, style, "configured") : std::string();
  if (!document["channel"].is_object()) return out;
  const Document settings = document["channel"].value("settings", Document::object());
  const std::string all = flattened(settings, "");
  return out + (all.empty() ? "  no settings of its own\n" : all);
}

Reply channel_allow(const Arguments& arguments) { return permit(arguments, "channel.allow"); }
Reply channel_deny(const Arguments& arguments) { return permit(arguments, "channel.deny"); }

std::string channel_allow_text(const Document& document, const Style& style) {
  return told_text(document, style, "told whom to allow");
}

std::string channel_deny_text(const Document& document, const Style& style) {
  return told_text(document, style, "told whom not to allow");
}

}  // namespace reprise
