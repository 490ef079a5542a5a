// run:watch: a run's records as they are written. It takes no lock and changes nothing.
#include <algorithm>
#include <deque>

#include "cli/commands.h"
#include "cli/event_document.h"
#include "cli/output.h"
#include "cli/run_documents.h"
#include "cli/session.h"
#include "cli/streams.h"
#include "cli/text.h"
#include "cli/user_values.h"
#include "cli/waiting.h"
#include "engine/inspect.h"
#include "journal/clock.h"

namespace reprise {
namespace {

constexpr uint64_t kFirstRecords = 10;
constexpr size_t kTypeWidth = 22;

class Watch {
 public:
  Watch(Dir& run, std::string name, const OutputOptions& options)
      : x_run(run), x_name(std::move(name)), x_options(options) {}

  /// The last records before now, or those behind a seq.
  void begin(const std::optional<uint64_t>& after) {
    std::deque<Document> first;
    const auto scan = read_journal(x_run, nullptr, Keep::kNothing, [&](const RecordView& record) {
      if (record.seq <= after.value_or(0)) return;
      first.push_back(event_document(record));
      if (!after && first.size() > kFirstRecords) first.pop_front();
    });
    x_head = scan->head;
    for (const Document& event : first) print(event);
  }

  /// What was written since, and whether there was anything. A journal that is not the one it was
  /// is read from its beginning.
  bool look() {
    const uint64_t before = x_head.seq;
    const auto visit = [&](const RecordView& record) {
      if (record.seq > x_head.seq) print(event_document(record));
    };
    auto scan = read_journal(x_run, &x_head, Keep::kNothing, visit);
    if (!scan) scan = read_journal(x_run, nullptr, Keep::kNothing, visit);
    x_head = scan->head;
    return x_head.seq != before;
  }

 private:
  void print(const Document& event) const {
    if (x_options.mode == OutputMode::kText) {
      std::string type = event["type"];
      type.resize(std::max(type.size(), kTypeWidth), ' ');
      write_out(event["recordedAt"].get<std::string>() + "  " +
                paint(x_options.style, Colour::kBold, type) + "  " + gist_of(event) + "\n");
    } else if (x_options.mode != OutputMode::kNone) {
      Document line = new_document();
      line["event"] = "record";
      line["runId"] = x_name;
      for (const auto& [name, value] : event.items()) line[name] = value;
      write_out(print_json(line) + "\n");
    }
  }

  Dir& x_run;
  std::string x_name;
  OutputOptions x_options;
  Head x_head;
};

}  // namespace

Reply run_watch(const Arguments& arguments) {
  const Session session(arguments);
  const RunHandle run = session.find_run();
  const auto flag = [&arguments](std::string_view name) { return arguments.value(name); };
  const auto wait = arguments.value("--wait-for");
  Waiting waiting(session.context().host,
                  wait ? parse_duration_ms(*wait, "--wait-for") : kLongestWaitMs);

  Watch watch(*run.dir, run.name, output_options(flag, colour_terminal()));
  watch.begin(arguments.count("--after"));
  RunState state = read_state(*run.dir).state;
  while (!state.end && waiting.pause()) {
    if (watch.look()) waiting.came();
    state = read_state(*run.dir).state;
  }
  watch.look();

  JsonReader reader;
  Reply reply{.document = new_document()};
  reply.document["event"] = state.end ? "ended" : "timeout";
  reply.document["runId"] = run.name;
  reply.document["status"] = status_name(state.status());
  reply.document["reason"] = status_reason(state, load_end(*run.dir, state, reader));
  reply.exit =
      status_exit(state, true, std::max(session.context().clock.now_ms(), state.head.at_ms));
  return reply;
}

std::string run_watch_text(const Document& document, const Style& style) {
  return headline(style, document["runId"].get<std::string>(),
                  document["status"].get<std::string>(), document["reason"].get<std::string>());
}

}  // namespace reprise
