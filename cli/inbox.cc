// The inbox: what waits for a person, each with the command that settles it.
#include <array>
#include <utility>

#include "cli/approval_documents.h"
#include "cli/commands.h"
#include "cli/go_on.h"
#include "cli/hints.h"
#include "cli/list_flags.h"
#include "cli/output.h"
#include "cli/session.h"
#include "cli/text.h"
#include "engine/approval.h"
#include "engine/attempt.h"
#include "engine/heartbeat/attention.h"
#include "engine/index/queries.h"
#include "engine/run.h"
#include "journal/clock.h"
#include "journal/ids.h"

namespace reprise {
namespace {

constexpr uint64_t kInboxLimit = 10;
constexpr size_t kInboxColumns = 80;
constexpr size_t kInboxIndent = 2;

/// The groups, in the order of urgency, and where all of a group's are listed.
struct Group {
  const char* name;
  const char* title;
  const char* list;
};
constexpr std::array<Group, 8> kGroups = {
    Group{"approvals", "waits for an answer", "reprise approval:list"},
    Group{"attention", "wants you to look", "reprise inbox --limit 1000"},
    Group{"held", "held until you let it go on", "reprise task:list --standing held"},
    Group{"lost", "whoever worked on it is gone", "reprise task:list --standing claimed"},
    Group{"failed", "failed", "reprise run:list --status failed"},
    Group{"available", "to be done, and nobody does it", "reprise task:list --standing available"},
    Group{"ready", "ready, and nobody goes on with it", "reprise run:list --status ready"},
    Group{"damaged", "cannot be read", "reprise run:list --status damaged"},
};

struct InboxPages {
  Page<EffectRow> asked;
  Page<EffectRow> held;
  Page<EffectRow> claimed;
  Page<EffectRow> available;
  Page<RunRow> failed;
  Page<RunRow> ready;
  Page<RunRow> created;
  Page<RunRow> damaged;
  std::map<std::string, uint64_t> counts;
  std::vector<Attention> attention;
};

/// Of the effects that can be taken; those of one run share a line.
constexpr uint64_t kAvailableLookedAt = 500;

InboxPages look(Database& database, uint64_t limit, int64_t now_ms) {
  using Standing = EffectFilter::Standing;
  const auto effects = [&](Standing standing, std::vector<std::string> kinds, uint64_t most) {
    return list_effects(database, {.standing = standing,
                                   .kinds = std::move(kinds),
                                   .run = {},
                                   .now_ms = now_ms,
                                   .after = {},
                                   .limit = most});
  };
  const auto runs = [&](const char* status, bool startable, bool top_level) {
    RunFilter filter{.statuses = {status}, .limit = limit};
    filter.startable = startable;
    filter.top_level = top_level;
    return list_runs(database, filter).value();
  };
  return {.asked = effects(Standing::kAsking, {"breakpoint"}, limit),
          .held = effects(Standing::kHeld, {}, limit),
          .claimed = effects(Standing::kClaimed, {}, UINT64_MAX - 1),
          .available = effects(Standing::kAvailable, {}, kAvailableLookedAt),
          .failed = runs("failed", false, true),
          .ready = runs("ready", false, false),
          .created = runs("created", true, false),
          .damaged = runs("damaged", false, false),
          .counts = count_runs(database),
          .attention = {}};
}

class Inbox {
 public:
  Inbox(Workspace& workspace, GoOn& go_on, uint64_t limit)
      : x_workspace(workspace), x_go_on(go_on), x_limit(limit) {
    for (const Group& group : kGroups) x_groups[group.name] = Document::array();
  }

  Document fill(const InboxPages& found, const Context& context) {
    for (const EffectRow& row : found.asked.rows) {
      add_effect("approvals", row, title_of(x_workspace, row), "approval:approve");
    }
    for (const EffectRow& row : found.held.rows) {
      add_effect("held", row, row.effect.label + " (" + row.effect.held + ")", "approval:approve");
    }
    for (const Attention& one : found.attention) add_attention(one);
    const int64_t now_ms = context.clock.now_ms();
    for (const EffectRow& row : found.claimed.rows) {
      if (lives(*row.effect.claim, now_ms, context.host)) continue;
      add_effect("lost", row, row.effect.label + ", " + row.effect.claim->worker, {});
    }
    for (const RunRow& run : found.failed.rows)
      add_run("failed", run, run.message, "run:status " + run.name);
    for (const EffectRow& row : found.available.rows) add_available(row);
    for (const auto* page : {&found.ready, &found.created}) {
      for (const RunRow& run : page->rows) add_run("ready", run, run.process, go_on(run.name));
    }
    for (const RunRow& run : found.damaged.rows)
      add_run("damaged", run, run.message, "run:verify " + run.name);
    note_more("approvals", found.asked.more);
    note_more("held", found.held.more);
    note_more("failed", found.failed.more);
    note_more("available", found.available.more);
    note_more("ready", found.ready.more || found.created.more);
    note_more("damaged", found.damaged.more);
    return std::move(x_groups);
  }

 private:
  /// The command that takes a run on, as the run stands.
  std::string go_on(const std::string& name) {
    try {
      const RunHandle run = x_workspace.find(name);
      return x_go_on.command(run, read_state(*run.dir).state) + " " + name;
    } catch (const Error&) {
      return "run:status " + name;
    }
  }

  /// Going on takes a lost claim back; other effects have an answer of their own.
  void add_effect(const char* group, const EffectRow& row, const std::string& what,
                  const std::string& verb) {
    const auto id = format_effect_id(row.effect.id);
    const auto command = verb.empty() ? go_on(row.run) : verb + " " + row.run + " " + id;
    add(group, {{"runId", row.run},
                {"effectId", id},
                {"since", format_time(row.effect.requested_at_ms)},
                {"what", what},
                {"command", "reprise " + command}});
  }

  /// The first of its run; people, children and times are waited for in other ways.
  void add_available(const EffectRow& row) {
    const bool performed = !asks_people(row.effect) && !is_engines_kind(row.effect.kind);
    const auto& items = x_groups["available"];
    if (!performed || (!items.empty() && items.back()["runId"] == row.run)) return;
    if (items.size() >= x_limit) return note_more("available", true);
    add("available", {{"runId", row.run},
                      {"effectId", format_effect_id(row.effect.id)},
                      {"since", format_time(row.effect.requested_at_ms)},
                      {"what", row.effect.kind + " " + row.effect.label},
                      {"command", command_for(row)}});
  }

  /// run:drive where it would perform the work.
  std::string command_for(const EffectRow& row) {
    try {
      const RunHandle run = x_workspace.find(row.run);
      const RunState state = read_state(*run.dir).state;
      const auto effect = state.open.find(row.effect.id);
      const bool waits = effect != state.open.end();
      if (waits && !x_go_on.is_performed(run, state, effect->second)) {
        return x_go_on.executor_step(run, state, effect->second);
      }
      return "reprise run:drive " + row.run;
    } catch (const Error&) {
      return "reprise run:status " + row.run;
    }
  }

  void add_run(const char* group, const RunRow& run, const std::string& what,
               const std::string& command) {
    Document item = {{"runId", run.name}};
    if (run.updated_at_ms > 0) item["since"] = format_time(run.updated_at_ms);
    item["what"] = what;
    item["command"] = "reprise " + command;
    add(group, std::move(item));
  }

  void add_attention(const Attention& one) {
    Document item = Document::object();
    if (!one.run.empty()) item["runId"] = one.run;
    if (one.since_ms) item["since"] = format_time(*one.since_ms);
    item["what"] = one.what;
    item["command"] = "reprise " + one.command;
    add("attention", std::move(item));
  }

  void add(const char* group, Document item) {
    if (x_groups[group].size() < x_limit) {
      x_groups[group].push_back(std::move(item));
    } else {
      note_more(group, true);
    }
  }

  void note_more(const char* group, bool more) {
    if (!more) return;
    for (const Group& one : kGroups) {
      if (std::string_view(one.name) == group) x_groups["more"][group] = one.list;
    }
  }

  Workspace& x_workspace;
  GoOn& x_go_on;
  uint64_t x_limit;
  Document x_groups = Document::object();
};

/// Its commands are typed, or run by a script, as they stand.
void name_place(Document& inbox, const std::string& place) {
  for (const Group& group : kGroups) {
    for (Document& item : inbox[group.name]) {
      item["command"] = with_place(item["command"].get<std::string>(), place);
    }
  }
  if (!inbox.contains("more")) return;
  for (auto& list : inbox["more"].items()) {
    list.value() = with_place(list.value().get<std::string>(), place);
  }
}

std::string begin_text(const std::string& runs_dir) {
  return "no runs yet in " + shown(runs_dir) +
         "\n\nto begin, write a process and make a run of it:\n\n"
         "  reprise run:start FILE.mjs [K=V...]    creates a run and performs what it asks for\n"
         "  reprise process:check FILE.mjs         looks at a process before it runs\n"
         "  reprise heartbeat:install --cron       a cron line that keeps runs going\n"
         "  reprise help                           all commands\n";
}

std::string summary_of(const Document& counts) {
  uint64_t all = 0;
  std::string parts;
  for (const auto& [status, count] : counts.items()) {
    all += count.get<uint64_t>();
    parts += (parts.empty() ? "" : ", ") + std::to_string(count.get<uint64_t>()) + " " + status;
  }
  return counted(all, "run", "runs") + ": " + parts + "\n";
}

}  // namespace

Reply inbox(const Arguments& arguments) {
  const Session session(arguments);
  Workspace workspace = session.workspace_to_read();
  const uint64_t limit = limit_flag(arguments, kInboxLimit);
  InboxPages found;
  if (workspace.exists()) {
    const int64_t now_ms = session.context().clock.now_ms();
    auto index = session.index(workspace);
    found = index.ask([&](Database& database) { return look(database, limit, now_ms); });
    found.attention = needs_attention(workspace, session.context(), index);
  }
  Reply reply{.document = new_document()};
  reply.document["runsDir"] = workspace.runs_path();
  reply.document["runs"] = Document::object();
  for (const auto& [status, count] : found.counts) reply.document["runs"][status] = count;
  GoOn go_on(session);
  auto items = Inbox(workspace, go_on, limit).fill(found, session.context());
  const auto flag = [&](std::string_view name) { return arguments.value(name); };
  name_place(items, output_options(flag, false).place);
  reply.document.update(items);
  return reply;
}

std::string inbox_text(const Document& document, const Style& style) {
  const bool is_new = document["runs"].empty() && document["attention"].empty();
  if (is_new) return begin_text(document["runsDir"]);
  std::string out;
  for (const Group& group : kGroups) {
    const Document& items = document[group.name];
    if (items.empty()) continue;
    out += paint(style, Colour::kBold, group.title) + "\n";
    for (const Document& item : items) {
      std::string name = item.value("runId", "");
      if (item.contains("effectId")) name += " " + item["effectId"].get<std::string>();
      if (!name.empty()) name = shown(name) + "  ";
      const size_t taken = kInboxIndent + width_of(name);
      const size_t left = taken + 20 < kInboxColumns ? kInboxColumns - taken : 20;
      out += "  " + name + shown(item["what"].get<std::string>(), left) + "\n    " +
             paint(style, Colour::kDim, shown(item["command"].get<std::string>())) + "\n";
    }
    const auto list = get_pointer(document, std::string("/more/") + group.name);
    if (list) out += "  more: " + *list + "\n";
    out += "\n";
  }
  if (out.empty()) out = "nothing waits for you\n\n";
  return out + summary_of(document["runs"]);
}

}  // namespace reprise
