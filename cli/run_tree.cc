// run:tree: a run's effects and, below those that are child runs, theirs: when, how long, how often
// tried, and what came of it in short.
#include <algorithm>

#include "cli/commands.h"
#include "cli/iteration.h"
#include "cli/run_documents.h"
#include "cli/session.h"
#include "cli/text.h"
#include "engine/children.h"
#include "engine/identity.h"
#include "engine/inspect.h"
#include "journal/clock.h"
#include "journal/ids.h"

namespace reprise {
namespace {

constexpr uint64_t kRunTreeLimit = 200;
constexpr uint64_t kDefaultDepth = 8;
/// Of a result; what is longer is cut, and task:show prints all of it.
constexpr size_t kGistBytes = 400;
constexpr size_t kTreeLabelWidth = 32;
constexpr size_t kTreeResultWidth = 48;

class Tree {
 public:
  Tree(const RunFolder& folder, uint64_t limit, int64_t now_ms)
      : x_folder(folder), x_limit(limit), x_now_ms(now_ms) {}

  Document run_node(Dir& run, const std::string& name, uint64_t depth) {
    const RunState state = read_state(run).state;
    JsonReader reader;
    Document node = {{"runId", name}, {"processId", state.process_id}};
    node["status"] = status_name(state.status());
    node["reason"] = status_reason(state, load_end(run, state, reader));
    add_awaited(node, state);
    Document& effects = node["effects"] = Document::array();
    const auto all = list_effects(run);
    const size_t shown = std::min<size_t>(all.size(), x_limit);
    for (size_t i = all.size() - shown; i < all.size(); ++i) {
      effects.push_back(effect_node(run, state, all[i], depth, reader));
    }
    if (shown < all.size()) node["leftOut"] = all.size() - shown;
    return node;
  }

 private:
  Document effect_node(Dir& run, const RunState& state, const EffectInfo& effect, uint64_t depth,
                       JsonReader& reader) {
    const OpenEffect& request = effect.request;
    Document node = effect_identity(state, request);
    const bool open = effect.status == "requested";
    add_question(node, run, request, reader);
    node["status"] = effect.status;
    const int64_t until_ms = open ? std::max(x_now_ms, state.head.at_ms) : effect.settled_at_ms;
    node["tookMs"] = until_ms - request.requested_at_ms;
    if (open) add_standing(node, request, until_ms);
    add_result(node, run, effect, reader);
    if (request.kind == kRunKind && depth > 0) {
      const std::string id = child_run_id(state.run_id, request.id);
      const auto child = x_folder.runs.open_dir(id);
      if (child && is_child_of(read_state(*child).state, state, request.id)) {
        node["child"] = run_node(*child, id, depth - 1);
      }
    }
    return node;
  }

  static void add_result(Document& node, Dir& run, const EffectInfo& effect, JsonReader& reader) {
    if (!effect.status.starts_with("resolved") || effect.request.kind == "sleep") return;
    const EffectResult result = load_result(run, effect, reader);
    const bool ok = result.error.empty();
    const std::string& text = ok ? result.value : result.error;
    const std::string message = ok ? "" : get_pointer(raw_json(text), "/message").value_or("");
    node["result"] = shown(message.empty() ? text : message, kGistBytes);
  }

  const RunFolder& x_folder;
  uint64_t x_limit;
  int64_t x_now_ms;
};

// "resolved_ok" is what drivers read; people want to know whether it went well.
std::string effect_status_word(const std::string& status) {
  constexpr std::string_view kResolved = "resolved_";
  if (status.starts_with(kResolved)) return status.substr(kResolved.size());
  return status == "requested" ? "open" : status;
}

std::string standing(const Document& effect) {
  if (effect.contains("held")) return "a person must let it go on";
  if (effect.contains("claim")) return "by " + shown(effect["claim"]["worker"].get<std::string>());
  if (effect.contains("availableAt")) return "again at " + effect["availableAt"].get<std::string>();
  return effect.contains("result") ? shown(effect["result"].get<std::string>(), kTreeResultWidth)
                                   : "";
}

void add_tree_rows(Table& table, const Document& node, const std::string& indent) {
  if (node.contains("leftOut")) {
    table.add(
        {{indent + counted(node["leftOut"].get<uint64_t>(), "earlier effect", "earlier effects") +
              ": --all",
          Colour::kDim}});
  }
  for (const Document& effect : node["effects"]) {
    const std::string status = effect["status"];
    const auto attempt = effect["attempt"].get<uint64_t>();
    const std::string tries = attempt > 1 ? " (attempt " + std::to_string(attempt) + ")" : "";
    table.add({{indent + effect["effectId"].get<std::string>(), Colour::kBold},
               {shown(effect["kind"].get<std::string>())},
               {shown(title_of(effect), kTreeLabelWidth)},
               {effect_status_word(status) + tries, status_colour(status)},
               {duration_text(effect["tookMs"].get<int64_t>())},
               {standing(effect)}});
    if (effect.contains("child")) add_tree_rows(table, effect["child"], indent + "  ");
  }
}

}  // namespace

Reply run_tree(const Arguments& arguments) {
  const Session session(arguments);
  const RunHandle run = session.find_run();
  const Neighbours neighbours(run);
  uint64_t limit = arguments.count("--limit").value_or(kRunTreeLimit);
  if (arguments.has("--all")) limit = UINT64_MAX;
  const uint64_t depth = arguments.count("--depth").value_or(kDefaultDepth);

  Reply reply{.document = run_document(run, read_state(*run.dir).state)};
  Tree tree(neighbours.folder(), limit, session.context().clock.now_ms());
  reply.document["tree"] = tree.run_node(*run.dir, run.name, depth);
  return reply;
}

std::string run_tree_text(const Document& document, const Style& style) {
  const Document& tree = document["tree"];
  std::string out = headline(style, tree["runId"].get<std::string>(),
                             tree["status"].get<std::string>(), tree["reason"].get<std::string>());
  Table table;
  add_tree_rows(table, tree, "");
  return out + table.print(style, "  ");
}

}  // namespace reprise
