// Between two steps only the state and the machine are kept. What the journal told is forgotten
// once the process has it, so that memory does not grow with the run.
#include "engine/drive/live_run.h"

#include "engine/advance.h"
#include "engine/claim_record.h"
#include "engine/commit.h"
#include "engine/fence.h"
#include "engine/iterate.h"
#include "engine/lease.h"
#include "engine/process_loader.h"
#include "engine/replay.h"
#include "journal/run_dir.h"

namespace reprise {

namespace {

/// Refused for good: the same post would be refused again. What else goes wrong may work later.
bool is_refusal(const Error& error) {
  return error.exit() == Exit::kConflict || error.exit() == Exit::kUsage ||
         error.exit() == Exit::kForbidden || error.exit() == Exit::kNotFound;
}

/// The others end by themselves, or wait for people.
bool is_performed(std::string_view kind) { return !is_engines_kind(kind) && kind != "breakpoint"; }

/// Gives the run's lock back, whatever happens.
class Unlock {
 public:
  explicit Unlock(OpenRun& open) : x_open(open) {}
  ~Unlock() { x_open.lock.reset(); }
  Unlock(const Unlock&) = delete;
  Unlock& operator=(const Unlock&) = delete;

 private:
  OpenRun& x_open;
};

}  // namespace

LiveRun::LiveRun(Dir& run, const Context& context, OpenRun& open, Machine* machine)
    : x_run(run), x_context(context), x_open(open), x_machine(machine) {
  if (machine == nullptr) return;
  x_reserve.emplace(open.history, open.reader);
  x_next = replay(*machine, open, run, *x_reserve);
  machine->begin_live();
}

std::optional<Step> LiveRun::step(const StepRequest& request) {
  if (x_over) return std::nullopt;
  x_over = true;  // until all of it is durable
  const Unlock unlock(x_open);
  if (!take_lock()) return std::nullopt;
  Step step{.at_ms = commit_time(x_open, x_context.clock)};
  const auto before = state().head.seq;
  Taken taken;
  write(request, step, taken);
  for (const auto& [effect, token] : request.working) {
    if (held(effect, token) == nullptr) step.lost.push_back(effect);
  }
  step.committed = state().head.seq != before;
  for (const auto& [id, how] : taken) step.claimed.push_back(state().open.at(id));
  refresh_derived(step, taken);
  // What waits for a paused run, or is kept for new code, points into what was read.
  x_over = x_machine == nullptr || !goes_on() || x_open.history.assignment;
  if (!x_over) forget_history();
  return step;
}

bool LiveRun::goes_on() const { return !state().end && !state().paused; }

/// The lock of the loading is still held at the first step.
bool LiveRun::take_lock() {
  if (x_open.lock) return true;
  x_open.lock = lock_run(x_run, x_context.lock_timeout_ms, x_context.author.command);
  return x_open.journal->is_untouched() || catch_up();
}

/// Others wrote. What they gave the process is live; what they already went on with is replayed.
bool LiveRun::catch_up() {
  auto& history = x_open.history;
  const Head head = history.state.head;
  const auto visit = [&](const RecordView& record) { history.read(record, x_open.reader); };
  auto journal = Journal::open(x_run, &head, Keep::kBuffers, visit);
  if (!journal || history.rewritten) return false;
  x_open.journal = std::move(journal);
  history.state.head = x_open.journal->head();
  x_machine->begin_replay(history.activations.size());
  x_next = replay(*x_machine, x_open, x_run, *x_reserve);
  x_machine->begin_live();
  return true;
}

void LiveRun::write(const StepRequest& request, Step& step, Taken& taken) {
  const CommitParts parts{
      .first =
          [&](Commit& commit) {
            add_posts(commit, request, step);
            add_leases(commit, request, step.at_ms);
          },
      .last = [&](Commit& commit) { add_claims(commit, request, step.at_ms, taken); }};
  if (x_machine != nullptr && goes_on()) {
    const auto advanced =
        advance(*x_machine, x_open, x_run, x_context, step.at_ms, x_next, *x_reserve, parts);
    if (!advanced.unawaited.empty()) {
      step.notes.push_back(note_of_unawaited(advanced.unawaited));
    }
    step.log = x_machine->take_log();
    return;
  }
  Commit commit(x_open, step.at_ms);
  parts.first(commit);
  if (!commit.empty()) commit.write();
}

void LiveRun::add_posts(Commit& commit, const StepRequest& request, Step& step) {
  for (const auto& post : request.posts) {
    auto& result = step.results.emplace_back();
    try {
      result.posted = add_post(commit, x_run, x_context, post);
    } catch (const Error& error) {
      if (!is_refusal(error)) throw;
      result.refusal = error;
    }
  }
}

/// The effect, when that token is of its present claim; else nullptr.
const OpenEffect* LiveRun::held(uint64_t effect, const std::string& token) const {
  const auto found = state().open.find(effect);
  return found != state().open.end() && holds(found->second, token) ? &found->second : nullptr;
}

/// Renewed in each third of a lease, as task:extend does.
void LiveRun::add_leases(Commit& commit, const StepRequest& request, int64_t now_ms) {
  for (const auto& [effect, token] : request.releases) {
    const auto* mine = held(effect, token);
    if (mine != nullptr) commit.add(release_record(*mine, x_context.author));
  }
  for (const auto& [effect, token] : request.working) {
    const auto* mine = held(effect, token);
    if (mine == nullptr) continue;
    const auto report = request.progress.find(effect);
    if (report != request.progress.end()) {
      commit.add(progress_record(*mine, report->second, x_context.author, x_run));
    }
    const auto claim = *mine->claim;
    const auto renewed_at_ms = claim.until_ms - claim.lease_ms;
    if (now_ms < renewed_at_ms + claim.lease_ms / 3) continue;
    commit.add(claim_record(*mine, claim, x_context.author));
  }
}

void LiveRun::add_claims(Commit& commit, const StepRequest& request, int64_t now_ms, Taken& taken) {
  if (state().end) return;
  for (const auto& [id, effect] : state().open) {
    if (taken.size() >= request.room) return;
    if (effect.claim || !effect.is_available(now_ms) || !is_performed(effect.kind)) continue;
    const auto load = [&, &wanted = effect] {
      const auto* added = commit.find(wanted.requested_seq);
      return added == nullptr ? load_request(x_run, wanted.place, x_open.reader)
                              : request_of(x_open.reader.members(added->data), x_run);
    };
    const auto how = request.take(effect, load);
    if (how == Take::kNo) continue;
    auto claim = request.claimer;
    claim.token = make_token(state().head.seq + 1, x_context.random);
    commit.add(claim_record(effect, claim, x_context.author));
    taken.emplace(id, how);
  }
}

void LiveRun::refresh_derived(Step& step, const Taken& taken) {
  const bool ended = state().end.has_value();
  std::function<std::string()> snapshot;
  if (x_machine != nullptr && x_machine->folds())
    snapshot = [this] { return x_machine->snapshot(); };
  write_derived(step.notes, [&] {
    if (step.committed) refresh_state(x_run, x_open, snapshot, ended);
    if (!goes_on()) return refresh_task_files(x_run, state(), x_open.reader);
    for (const auto& [id, how] : taken) {
      if (how != Take::kOutside) continue;
      write_task_files(x_run, state(), state().open.at(id), x_open.reader);
    }
  });
}

void LiveRun::forget_history() {
  x_open.history.activations.clear();
  x_open.history.commands.clear();
  x_open.journal->drop_buffers();
  x_next = 0;
}

void LiveRun::refresh_files() {
  if (x_over) return;
  const Unlock unlock(x_open);
  x_open.lock = lock_run(x_run, x_context.lock_timeout_ms, x_context.author.command);
  // Who wrote meanwhile knows better what is pending.
  if (x_open.journal->is_untouched()) refresh_task_files(x_run, state(), x_open.reader);
}

void with_live_run(Dir& run, const Context& context, const std::function<void(LiveRun&)>& use) {
  auto open = open_run(run, context, Read::kSnapshot);
  const auto& state = open.history.state;
  if (state.end || state.paused) {
    LiveRun live(run, context, open, nullptr);
    return use(live);
  }
  refuse_without_process(state);
  with_machine(run, open, context, [&](Machine& machine) {
    LiveRun live(run, context, open, &machine);
    use(live);
  });
}

}  // namespace reprise
