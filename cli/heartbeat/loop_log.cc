// heartbeat:log: what became of each task in each tick.
#include "cli/heartbeat/loop.h"
#include "cli/heartbeat/loop_home.h"
#include "cli/list_flags.h"
#include "cli/output.h"
#include "cli/streams.h"
#include "cli/user_values.h"
#include "cli/waiting.h"

namespace reprise {
namespace {

constexpr uint64_t kHeartbeatLogLimit = 50;
/// The loop itself remembers so many; for more its whole past is read.
constexpr uint64_t kRemembered = 100;

Document question_of(const Arguments& arguments) {
  Document question = {{"ask", "log"}};
  if (const auto task = arguments.value("--task")) question["taskId"] = *task;
  return question;
}

class Follower {
 public:
  Follower(const Arguments& arguments, LoopHome& home)
      : x_home(home), x_question(question_of(arguments)) {
    const auto flag = [&arguments](std::string_view name) { return arguments.value(name); };
    x_options = output_options(flag, colour_terminal());
  }

  /// Prints what is new; whether there was anything.
  bool look(const Document& log) {
    if (log.is_null()) return false;
    for (const Document& entry : log["entries"]) print(entry);
    const uint64_t before = x_revision;
    x_revision = log["revision"];
    return x_revision != before;
  }
  bool look() {
    x_question["after"] = x_revision;
    return look(x_home.ask(x_question));
  }
  uint64_t revision() const { return x_revision; }

 private:
  void print(const Document& entry) const {
    if (x_options.mode == OutputMode::kText) {
      write_out(entry_line(entry, x_options.style));
    } else if (x_options.mode != OutputMode::kNone) {
      Document line = new_document();
      line["event"] = "entry";
      for (const auto& [name, value] : entry.items()) line[name] = value;
      write_out(print_json(line) + "\n");
    }
  }

  LoopHome& x_home;
  Document x_question;
  OutputOptions x_options;
  uint64_t x_revision = 0;
};

/// The entries up to now; null when there is no loop.
Document read_log(const Arguments& arguments, LoopHome& home) {
  auto question = question_of(arguments);
  const auto limit = limit_flag(arguments, kHeartbeatLogLimit);
  question["limit"] = std::min<uint64_t>(limit, INT64_MAX);
  return home.ask(question, limit > kRemembered ? Past::kWhole : Past::kPresent);
}

}  // namespace

Reply heartbeat_log(const Arguments& arguments) {
  const Session session(arguments);
  LoopHome home(arguments, session, false);
  const Document log = read_log(arguments, home);
  Reply reply{.document = new_document()};
  if (!arguments.has("--follow")) {
    reply.document["runId"] = home.run_name();
    reply.document["entries"] = log.is_null() ? Document::array() : log["entries"];
    reply.document["more"] = !log.is_null() && log["more"].get<bool>();
    return reply;
  }
  const auto bound = arguments.value("--for");
  Waiting waiting(session.context().host,
                  bound ? parse_duration_ms(*bound, "--for") : kLongestWaitMs);
  Follower follower(arguments, home);
  follower.look(log);
  while (waiting.pause()) {
    if (follower.look()) waiting.came();
  }
  reply.document["event"] = "timeout";
  reply.document["runId"] = home.run_name();
  reply.document["revision"] = follower.revision();
  return reply;
}

std::string heartbeat_log_text(const Document& document, const Style& style) {
  if (document.contains("event")) return {};  // the entries are all that was to be said
  std::string out;
  for (const Document& entry : document["entries"]) out += entry_line(entry, style);
  if (out.empty()) return "nothing was evaluated yet\n";
  return out + (document["more"].get<bool>() ? "older ones: --limit N or --all\n" : "");
}

}  // namespace reprise
