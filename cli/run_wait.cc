// run:wait: until a run has come to something, without a lock and without doing anything.
#include <algorithm>

#include "cli/commands.h"
#include "cli/run_documents.h"
#include "cli/session.h"
#include "cli/text.h"
#include "cli/user_values.h"
#include "cli/waiting.h"
#include "engine/approval.h"
#include "journal/clock.h"
#include "journal/witness.h"

namespace reprise {
namespace {

constexpr int64_t kDefaultTimeoutMs = 10LL * 60 * 1000;

bool asks_somebody(const RunState& state) {
  return !state.end && std::ranges::any_of(
                           state.open, [](const auto& entry) { return asks_people(entry.second); });
}

// What the command waits for, of the words of --for.
class Goal {
 public:
  Goal(const std::vector<std::string>& words, uint64_t seq) : x_words(words), x_seq(seq) {
    if (x_words.empty()) x_words = {"ended", "people"};
  }

  // The word that the state fulfils, or empty.
  std::string reached_by(const RunState& state) const {
    for (const std::string& word : x_words) {
      if (word == status_name(state.status()) || (word == "ended" && state.end) ||
          (word == "people" && asks_somebody(state)) ||
          (word == "change" && state.head.seq != x_seq)) {
        return word;
      }
    }
    return {};
  }

 private:
  std::vector<std::string> x_words;
  uint64_t x_seq;  ///< of the last record at the beginning
};

Exit exit_of(const RunState& state, const std::string& reached, bool named, int64_t now_ms) {
  if (!reached.empty() && named) return Exit::kOk;
  if (state.end) return status_exit(state, false, now_ms);
  const Exit exit = status_exit(state, true, now_ms);
  return exit == Exit::kWaitsForTime ? exit : Exit::kWaitsForInput;
}

}  // namespace

Reply run_wait(const Arguments& arguments) {
  const Session session(arguments);
  const RunHandle run = session.find_run();
  const auto timeout = arguments.value("--timeout");
  const int64_t timeout_ms = timeout ? parse_duration_ms(*timeout, "--timeout") : kDefaultTimeoutMs;
  RunState state = read_state(*run.dir).state;
  const auto after = arguments.count("--after");
  const Goal goal(arguments.values("--for"), after.value_or(state.head.seq));
  std::string reached = goal.reached_by(state);
  Waiting waiting(session.context().host, timeout_ms);
  while (reached.empty() && waiting.pause()) {
    const auto witness = read_witness(*run.dir);
    if (witness && witness->head.seq == state.head.seq) continue;
    waiting.came();
    state = read_state(*run.dir).state;
    reached = goal.reached_by(state);
  }
  JsonReader reader;
  Reply reply{.document = run_document(run, state)};
  reply.document["status"] = status_name(state.status());
  reply.document["reason"] = status_reason(state, load_end(*run.dir, state, reader));
  reply.document["stateVersion"] = state.head.seq;
  reply.document["reached"] = reached.empty() ? Document(nullptr) : Document(reached);
  const int64_t now_ms = std::max(session.context().clock.now_ms(), state.head.at_ms);
  reply.exit = exit_of(state, reached, arguments.has("--for"), now_ms);
  return reply;
}

std::string run_wait_text(const Document& document, const Style& style) {
  std::string out =
      headline(style, document["runId"].get<std::string>(), document["status"].get<std::string>(),
               document["reason"].get<std::string>());
  if (document["reached"].is_null()) out += "  not reached in time\n";
  return out;
}

}  // namespace reprise
