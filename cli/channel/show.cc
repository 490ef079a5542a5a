// channel:show: the operator's page.
#include <algorithm>
#include <cmath>

#include "cli/channel/commands.h"
#include "cli/channel/signal_request.h"
#include "cli/go_on.h"
#include "cli/run_documents.h"
#include "cli/text.h"

namespace reprise {
namespace {

constexpr size_t kChannelTextWidth = 60;
constexpr int kBarWidth = 20;

/// "[########            ] 40 % of 32000 tokens"
std::string utilization_text(const Document& channel) {
  const double used = std::clamp(channel.value("utilization", 0.0), 0.0, 1.0);
  const auto filled = static_cast<size_t>(std::lround(used * kBarWidth));
  std::string text = "[" + std::string(filled, '#') + std::string(kBarWidth - filled, ' ') + "] " +
                     std::to_string(std::lround(used * 100)) + " %";
  const std::string window =
      member_number(channel.value("settings", Document::object()), "contextWindow");
  return window.empty() ? text : text + " of " + window + " tokens";
}

/// Who holds the effect of that key, or empty.
std::string worker_on(const Document& pending, const std::string& key) {
  for (const Document& effect : pending) {
    if (member_text(effect, "key") == key && effect.contains("claim")) {
      return member_text(effect["claim"], "worker");
    }
  }
  return {};
}

std::string active_text(const Document& document) {
  const Document& active = document["channel"]["run"];
  const std::string run = member_text(active, "runId");
  const std::string trigger = member_text(active, "trigger");
  std::string text = run + " answers " +
                     (trigger.empty() ? member_text(active, "msgId") : "\"" + trigger + "\"") +
                     " since " + member_text(active, "since");
  const std::string worker = worker_on(document["pending"], "reply:" + run);
  return text + (worker.empty() ? ", nobody works on it" : ", by " + worker);
}

std::string usage_text(const Document& usage) {
  std::string text;
  for (const auto& [name, total] : usage.items()) {
    text += (text.empty() ? "" : "; ") + name + " " + member_number(total, "promptTokens") + " + " +
            member_number(total, "completionTokens") + " tokens";
  }
  return text;
}

std::string identity_text(const Document& identity) {
  std::string text = member_text(identity, "platform");
  for (const auto& [name, before] :
       {std::pair("guild", " "), std::pair("name", ", "), std::pair("parent", ", a thread of "),
        std::pair("dir", ", in ")}) {
    const std::string value = member_text(identity, name);
    if (!value.empty()) text += before + value;
  }
  return text;
}

class OperatorPage {
 public:
  OperatorPage(const Document& document, const Style& style)
      : x_document(document), x_channel(document["channel"]), x_style(style) {}

  std::string print() {
    const Document identity = x_channel.value("identity", Document::object());
    row("channel", identity_text(identity));
    if (identity.value("held", false)) row("held", "nothing is claimed until channel:release");
    row("context", utilization_text(x_channel));
    if (has("run")) row("agent", active_text(x_document));
    if (has("parking")) add_card();
    add_decision();
    if (has("session")) row("session", member_text(x_channel["session"], "id"));
    if (has("usage")) row("usage", usage_text(x_channel["usage"]));
    std::string out = x_table.print(x_style, "  ");
    list(out, "queue", "msgId", {"author", "content"});
    list(out, "workers", "workerId", {"state", "title"});
    list(out, "branches", "branchId", {"state", "prompt"});
    const std::string pending = pending_text(x_document, x_style);
    return pending.empty() ? out : out + "  pending\n" + pending;
  }

 private:
  bool has(const char* name) const {
    return x_channel.contains(name) && !x_channel[name].is_null() && !x_channel[name].empty();
  }

  void row(const char* name, const std::string& text) {
    if (!text.empty()) x_table.add({{name, Colour::kDim}, {shown(text, 2 * kChannelTextWidth)}});
  }

  void add_card() {
    const Document& card = x_channel["parking"];
    if (member_text(card, "cardId").empty()) return;
    row("parked", member_text(card, "kind") + ": " + member_text(card, "question"));
    const std::string key = "card:" + member_text(card, "cardId");
    for (const Document& effect : x_document["pending"]) {
      if (member_text(effect, "key") != key) continue;
      const std::string name = shown(x_document["runId"].get<std::string>()) + " " +
                               effect["effectId"].get<std::string>();
      row("answer", "reprise approval:approve " + name + " --iterate");
      row("", "reprise approval:deny " + name + " --response TEXT --iterate");
    }
  }

  void add_decision() {
    if (!has("decision")) return;
    const Document& decision = x_channel["decision"];
    row("route", member_text(decision, "action") + ", " + member_text(decision, "reason"));
  }

  void list(std::string& out, const char* name, const char* id,
            const std::vector<const char*>& members) {
    if (!has(name)) return;
    Table table;
    for (const Document& item : x_channel[name]) {
      std::vector<Table::Cell> cells = {{shown(member_text(item, id)), Colour::kBold}};
      for (const char* member : members) {
        const Document value = item.value(member, Document());
        const auto text =
            value.is_object() ? member_text(value, "name") : member_text(item, member);
        cells.push_back({shown(text, kChannelTextWidth)});
      }
      table.add(std::move(cells));
    }
    out += "  " + std::string(name) + "\n" + table.print(x_style, "    ");
  }

  const Document& x_document;
  const Document& x_channel;
  Style x_style;
  Table x_table;
};

}  // namespace

Reply channel_show(const Arguments& arguments) {
  const Session session(arguments);
  const RunHandle run = find_channel(session, arguments);
  Document channel = ask_channel(session, run, {{"ask", "channel"}});
  const RunState state = read_state(*run.dir).state;
  if (channel.contains("workers")) mark_running(channel["workers"], state);
  Reply reply{.document = run_document(run, state)};
  reply.document["runStatus"] = status_name(state.status());
  reply.document["channel"] = std::move(channel);
  reply.document["pending"] = pending_effects(state, session.context().clock.now_ms());
  GoOn(session).add_unperformed(reply.document, run, &state);
  return reply;
}

std::string channel_show_text(const Document& document, const Style& style) {
  const std::string status = document["runStatus"];
  std::string head = headline(style, document["runId"].get<std::string>(), status, "");
  if (!document["channel"].is_object()) return head;
  return head + OperatorPage(document, style).print() + unperformed_text(document);
}

}  // namespace reprise
