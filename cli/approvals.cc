// approval:show, approval:approve and approval:deny.
#include <algorithm>
#include <cstdlib>

#include "cli/approval_documents.h"
#include "cli/commands.h"
#include "cli/go_on.h"
#include "cli/iteration.h"
#include "cli/run_documents.h"
#include "cli/session.h"
#include "cli/text.h"
#include "engine/answer.h"
#include "journal/ids.h"

namespace reprise {
namespace {

Answer given_answer(const Arguments& arguments, const Session& session,
                    const EffectSelector& effect, bool approved) {
  Answer answer;
  answer.effect = effect;
  answer.approved = approved;
  answer.by = arguments.value("--by").value_or(session.context().author.user);
  answer.option = arguments.value("--option").value_or("");
  answer.response = arguments.value("--response").value_or("");
  answer.comment = arguments.value("--comment").value_or("");
  answer.expect = arguments.value("--expect").value_or("");
  for (const auto& [text, flag] :
       {std::pair(answer.by, "--by"), std::pair(answer.option, "--option"),
        std::pair(answer.response, "--response"), std::pair(answer.comment, "--comment")}) {
    parse_value(quote(text), flag);
  }
  if (answer.by.empty()) {
    throw Error(Exit::kUsage, "INVALID_ARGUMENT", "--by names nobody", "as in --by anna");
  }
  const char* inside = std::getenv("REPRISE_EFFECT");
  answer.inside_executor = inside != nullptr && *inside != '\0';
  answer.dry_run = arguments.has("--dry-run");
  return answer;
}

/// What an option may be called: itself, or its id, label or value. Empty when the question lists
/// no options, or lists something else.
std::vector<std::string> option_names(const Approval& approval) {
  std::vector<std::string> names;
  if (!approval.options.starts_with('[')) return names;
  for (const auto option : array_elements(approval.options)) {
    const size_t before = names.size();
    if (option.starts_with('"')) names.push_back(unquote(option));
    for (const char* member : {"id", "label", "value"}) {
      if (auto name = text_member(option, member); !name.empty()) names.push_back(std::move(name));
    }
    if (names.size() == before) return {};
  }
  return names;
}

/// A question's options never change, so they can be read before the run is locked, and behind it.
std::vector<std::string> option_names(const RunHandle& run, const EffectSelector& effect) {
  JsonReader reader;
  return option_names(find_approval(*run.dir, effect, reader));
}

std::string listed(const std::vector<std::string>& names) {
  std::string list;
  for (const auto& name : names) list += (list.empty() ? "" : ", ") + name;
  return list;
}

void check_option(const RunHandle& run, const Answer& answer) {
  if (answer.option.empty()) return;
  const auto names = option_names(run, answer.effect);
  if (names.empty() || std::ranges::find(names, answer.option) != names.end()) return;
  throw Error(Exit::kUsage, "INVALID_ARGUMENT",
              "--option: the question has no option \"" + answer.option + "\"",
              "its options are " + listed(names));
}

/// Whoever asked which one may make anything of a mere yes. What was held and goes on is no
/// question any more, and had no options.
void warn_of_options(const RunHandle& run, const Answer& answer, Reply& reply) {
  if (!answer.approved || !answer.option.empty()) return;
  try {
    const auto names = option_names(run, answer.effect);
    if (names.empty()) return;
    reply.warnings.push_back("the question offers " + listed(names) + ", and --option names none");
  } catch (const Error&) {
    return;
  }
}

Reply answer_reply(const Arguments& arguments, bool approved) {
  const Session session(arguments);
  const auto [run, effect] = session.find_effect("--key");
  const Answer given = given_answer(arguments, session, effect, approved);
  check_option(run, given);
  const Answered answered = answer_approval(*run.dir, session.context(), given);
  Reply reply{.document = run_document(run, answered.state), .warnings = answered.notes};
  Document& document = reply.document;
  if (effect.key.empty()) {
    document["effectId"] = format_effect_id(effect.id);
  } else {
    document["key"] = effect.key;
  }
  document["approved"] = approved;
  document["by"] = given.by;
  document["recorded"] = answered.recorded;
  document["dryRun"] = given.dry_run;
  document["settled"] = answered.settled;
  document["missing"] = answered.missing;
  document["runStatus"] = status_name(answered.state.status());
  warn_of_options(run, given, reply);
  GoOn(session).add(reply.document, run, answered.state);
  if (arguments.has("--iterate") && !given.dry_run) {
    add_iteration(reply, session, run, arguments.has("--exit-status"));
  }
  return reply;
}

}  // namespace

Reply approval_show(const Arguments& arguments) {
  const Session session(arguments);
  const auto [run, effect] = session.find_effect("--key");
  JsonReader reader;
  const Approval approval = find_approval(*run.dir, effect, reader);
  const RunState state = read_state(*run.dir).state;
  Reply reply{.document = run_document(run, state)};
  reply.document["approval"] = approval_document(run.name, state, approval);
  const bool open = state.open.contains(approval.effect.request.id);
  if (open && question_expired(approval.effect.request, session.context().clock.now_ms())) {
    reply.document["approval"]["expired"] = true;
  }
  reply.document["payload"] = raw_json(approval.payload);
  if (!approval.options.empty()) reply.document["options"] = raw_json(approval.options);
  if (!approval.error.empty()) reply.document["error"] = raw_json(approval.error);
  const EffectResult result = load_result(*run.dir, approval.effect, reader);
  if (!result.value.empty()) reply.document["answer"] = raw_json(result.value);
  return reply;
}

std::string approval_show_text(const Document& document, const Style& style) {
  const Document& approval = document["approval"];
  std::string out = paint(style, Colour::kBold, approval_name(approval, "  ")) + "  " +
                    shown(approval_title(approval)) + "\n";
  Table table;
  const auto row = [&table](const char* name, const std::string& text) {
    table.add({{name, Colour::kDim}, {shown(text)}});
  };
  row("status", approval["status"]);
  for (const char* name : {"payload", "options", "error", "answer"}) {
    if (document.contains(name)) row(name, json_of(document[name]));
  }
  if (approval.contains("approvers")) {
    std::string names;
    for (const Document& name : approval["approvers"]) {
      names += (names.empty() ? "" : ", ") + name.get<std::string>();
    }
    row("asked", names);
  }
  if (approval["quorum"] != 1) {
    row("quorum", std::to_string(approval["quorum"].get<uint64_t>()) + " must approve");
  }
  for (const Document& answer : approval["answers"]) row("answered", json_of(answer));
  const bool expired = approval.contains("expired");
  if (approval.contains("expiresAt")) row(expired ? "expired" : "expires", approval["expiresAt"]);
  row("digest", approval["digest"]);
  out += table.print(style, "  ");
  if (approval["status"] != "requested") return out;
  if (expired) {
    return out + "  next  reprise run:iterate " + shown(approval["runId"].get<std::string>()) +
           "\n";
  }
  // Whoever reads this need not be one of those who are asked.
  const std::string by = approval.contains("approvers") ? " --by NAME" : "";
  return out + answer_hint("approve " + approval_name(approval)) + by +
         "\n        reprise approval:deny " + approval_name(approval) + by + "\n";
}

Reply approval_approve(const Arguments& arguments) { return answer_reply(arguments, true); }
Reply approval_deny(const Arguments& arguments) { return answer_reply(arguments, false); }

std::string approval_answer_text(const Document& document, const Style& style) {
  const std::string name = document.contains("key") ? document["key"] : document["effectId"];
  const std::string done = document["approved"] ? "approved" : "denied";
  const std::string by = " by " + shown(document["by"].get<std::string>());
  const uint64_t missing = document["missing"];
  std::string out = paint(style, Colour::kBold, shown(name)) + "  ";
  if (document["dryRun"]) {
    out += "would be " + done + by;
  } else if (document["recorded"]) {
    out += done + by;
  } else {
    // Once it is settled, the answer that counts may have been another person's.
    out += "was " + done + (missing > 0 ? by : "") + " before, nothing changed";
  }
  if (missing > 0) out += "; " + std::to_string(missing) + " more must approve";
  return out + "\n" + iteration_text(document, style);
}

}  // namespace reprise
