// approval:list: the index says where something is asked, the runs themselves say what.
#include "cli/approval_documents.h"
#include "cli/commands.h"
#include "cli/list_flags.h"
#include "cli/run_documents.h"
#include "cli/session.h"
#include "cli/text.h"
#include "engine/index/queries.h"
#include "journal/ids.h"

namespace reprise {
namespace {

constexpr uint64_t kApprovalListLimit = 100;
constexpr uint64_t kMostWarnings = 10;
constexpr size_t kApprovalTitleWidth = 200;

class Listing {
 public:
  Listing(const Arguments& arguments, int64_t now_ms, Reply& reply)
      : x_reply(reply),
        x_now_ms(now_ms),
        x_after(effect_cursor_flag(arguments)),
        x_limit(limit_flag(arguments, kApprovalListLimit)) {
    x_reply.document["approvals"] = Document::array();
  }

  /// Of one run, wherever it is; without the index.
  void add_run(const RunHandle& run) {
    attempt(run.name, [&] {
      const RunState state = read_state(*run.dir).state;
      for (const auto& [id, effect] : state.open) {
        const bool behind = run.name != x_after.first || id > x_after.second;
        if (behind && is_asked(effect) && !add(run.name, *run.dir, state, effect)) return;
      }
    });
  }

  void add_all(const Session& session, Workspace& workspace) {
    auto index = session.index(workspace);
    EffectFilter filter{.standing = EffectFilter::Standing::kAsking};
    filter.now_ms = x_now_ms;
    filter.after = x_after;
    filter.limit = x_limit;
    const RunFilter damaged{.statuses = {"damaged"}, .limit = kMostWarnings};
    const auto [page, unreadable] = index.ask([&](Database& database) {
      return std::pair(list_effects(database, filter), list_runs(database, damaged));
    });
    for (const EffectRow& row : page.rows) {
      attempt(row.run, [&] { add_one(workspace, row); });
    }
    if (page.more) add_next(page.rows.back().run, page.rows.back().effect.id);
    for (const RunRow& run : unreadable->rows) warn(run.name, run.message);
  }

 private:
  bool is_asked(const OpenEffect& effect) const {
    return asks_people(effect) && !question_expired(effect, x_now_ms);
  }

  /// What was answered since is left out.
  void add_one(Workspace& workspace, const EffectRow& row) {
    const auto dir = workspace.runs().open_dir(row.run);
    if (!dir) return;
    const RunState state = read_state(*dir).state;
    const auto effect = state.open.find(row.effect.id);
    if (effect != state.open.end() && is_asked(effect->second)) {
      add(row.run, *dir, state, effect->second);
    }
  }

  bool add(const std::string& name, Dir& dir, const RunState& state, const OpenEffect& effect) {
    Document& list = x_reply.document["approvals"];
    if (list.size() == x_limit) {
      add_next(name, parse_effect_id(list.back()["effectId"].get<std::string>()).value());
      return false;
    }
    const auto approval = load_approval(dir, effect_info(dir, effect), x_reader);
    list.push_back(approval_document(name, state, approval));
    return true;
  }

  void add_next(const std::string& run, uint64_t effect) {
    add_cursor(x_reply.document, true, run + "/" + format_effect_id(effect));
  }

  template <typename Action>
  void attempt(const std::string& run, const Action& action) {
    try {
      action();
    } catch (const Error& error) {
      warn(run, error.message());
    }
  }
  void warn(const std::string& run, const std::string& why) {
    x_reply.warnings.push_back("run " + run + " was left out: " + why);
  }

  Reply& x_reply;
  int64_t x_now_ms;
  std::pair<std::string, uint64_t> x_after;
  uint64_t x_limit;
  JsonReader x_reader;
};

}  // namespace

Reply approval_list(const Arguments& arguments) {
  const Session session(arguments);
  Workspace workspace = session.workspace_to_read();
  Reply reply{.document = new_document()};
  Listing listing(arguments, session.context().clock.now_ms(), reply);
  if (const auto run = arguments.value("--run")) {
    listing.add_run(workspace.find(*run));
  } else if (workspace.exists()) {
    listing.add_all(session, workspace);
  }
  return reply;
}

std::string approval_list_text(const Document& document, const Style& style) {
  Table table;
  for (const Document& approval : document["approvals"]) {
    table.add({{shown(approval["runId"].get<std::string>()), Colour::kBold},
               {approval["effectId"], Colour::kBold},
               {approval["requestedAt"], Colour::kDim},
               {shown(approval_title(approval), kApprovalTitleWidth)}});
  }
  if (table.empty()) return "nobody is asked anything\n";
  std::string out = table.print(style);
  out += more_hint(document);
  return out + answer_hint("show " + approval_name(document["approvals"][0])) + "\n";
}

}  // namespace reprise
