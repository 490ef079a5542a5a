// event:tail: the domain events of all runs as they become known, one envelope a line. The journals
// are the buffer: who comes late, or comes back with a cursor, misses nothing.
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <memory>

#include "cli/commands.h"
#include "cli/event_cursor.h"
#include "cli/event_delivery.h"
#include "cli/list_flags.h"
#include "cli/output.h"
#include "cli/session.h"
#include "cli/streams.h"
#include "cli/text.h"
#include "cli/user_values.h"
#include "cli/waiting.h"
#include "engine/index/envelope.h"
#include "engine/run.h"

namespace reprise {
namespace {

constexpr uint64_t kTailPageRows = 500;

std::string run_filter(const Arguments& arguments, Workspace& workspace) {
  const auto run = arguments.value("--run");
  const auto channel = arguments.value("--channel");
  if (run && channel) {
    throw Error(Exit::kUsage, "INVALID_ARGUMENT", "name a run or a channel, not both");
  }
  if (!run && !channel) return {};
  const auto found = workspace.find(run ? *run : *channel);
  if (channel && read_state(*found.dir).state.process_id != kChannelProcess) {
    throw Error(Exit::kNotFound, "CHANNEL_NOT_FOUND", "run " + found.name + " is no channel",
                "--run " + found.name + " shows its events");
  }
  return found.name;
}

class Subscriber {
 public:
  Subscriber(const Arguments& arguments, const Session& session)
      : x_arguments(arguments), x_session(session) {
    if (const auto file = arguments.value("--cursor-file")) {
      x_file = std::make_unique<CursorFile>(*file, session.working_dir());
      x_cursor = x_file->read();
    }
    if (x_cursor.empty()) x_cursor = arguments.value("--after").value_or("");
    x_left = arguments.count("--limit").value_or(UINT64_MAX);
    x_filter.types = arguments.values("--type");
    x_filter.since_ms = since_flag(arguments, session.context().clock.now_ms());
    const auto flag = [&arguments](std::string_view name) { return arguments.value(name); };
    x_mode = output_options(flag, false).mode;
    x_escapes = ::isatty(STDOUT_FILENO) == 1;
    if (arguments.has("--exec")) x_command = read_command();
  }

  /// Delivers all that is known now; whether there was anything.
  bool look() {
    const auto before = x_delivered;
    Workspace workspace = x_session.workspace();
    if (!workspace.exists()) return false;
    x_filter.run = run_filter(x_arguments, workspace);
    while (!is_over() && deliver_page(workspace)) continue;
    return x_delivered != before;
  }

  /// Nobody wants more.
  bool is_over() const { return x_left == 0 || x_reader_left; }

  Document end(bool follows) const {
    Document document = new_document();
    document["event"] = follows && !is_over() ? "timeout" : "end";
    document["delivered"] = x_delivered;
    if (!x_cursor.empty()) document["cursor"] = x_cursor;
    return document;
  }

 private:
  EventCommand read_command() const {
    EventCommand command{.command = *x_arguments.value("--exec"), .environment = {}};
    if (const auto timeout = x_arguments.value("--exec-timeout")) {
      command.timeout_ms = parse_duration_ms(*timeout, "--exec-timeout");
    }
    command.attempts = x_arguments.count("--attempts").value_or(command.attempts);
    return command;
  }

  /// Whether another page may follow. The index is closed again before anything is delivered: who
  /// makes it anew need not wait for a slow reader.
  bool deliver_page(Workspace& workspace) {
    std::string epoch;
    Page<EventRow> page;
    x_filter.limit = std::min(kTailPageRows, x_left);
    x_session.index(workspace).ask([&](Database& database) {
      epoch = index_epoch(database);
      const auto* what = x_file ? "--cursor-file" : "--after";
      x_filter.after = x_cursor.empty() ? 0 : read_cursor(x_cursor, epoch, what);
      page = list_events(database, x_filter);
    });
    if (x_cursor.empty()) x_cursor = make_cursor(epoch, 0);
    for (const auto& row : page.rows) {
      const auto cursor = make_cursor(epoch, row.id);
      deliver(envelope(workspace.runs(), row, cursor), row);
      if (x_reader_left) return false;
      x_cursor = cursor;
      if (x_file) x_file->write(cursor);
      ++x_delivered;
      --x_left;
    }
    return page.more;
  }

  void deliver(const std::string& event, const EventRow& row) {
    const auto id = message_id(row);
    if (!x_command.command.empty()) {
      x_command.environment = {"REPRISE_EVENT_ID=" + id, "REPRISE_EVENT_TYPE=" + row.type};
      return run_for_event(x_command, event, id, x_session.context().host);
    }
    if (x_mode == OutputMode::kNone) return;
    const bool is_shown = x_escapes && x_mode == OutputMode::kText;
    if (deliver_out((is_shown ? shown(event) : event) + "\n")) return;
    if (errno != EPIPE) throw system_error("write", "standard output", errno);
    x_reader_left = true;
  }

  const Arguments& x_arguments;
  const Session& x_session;
  EventFilter x_filter;
  EventCommand x_command;  ///< empty: the events are printed
  std::unique_ptr<CursorFile> x_file;
  std::string x_cursor;  ///< behind what was delivered
  OutputMode x_mode = OutputMode::kText;
  bool x_escapes = false;
  bool x_reader_left = false;
  uint64_t x_left = 0;  ///< of --limit
  uint64_t x_delivered = 0;
};

}  // namespace

Reply event_tail(const Arguments& arguments) {
  const Session session(arguments);
  const bool follows = arguments.has("--follow");
  const auto bound = arguments.value("--for");
  Waiting waiting(session.context().host,
                  bound ? parse_duration_ms(*bound, "--for") : kLongestWaitMs);
  Subscriber subscriber(arguments, session);
  do {
    if (subscriber.look()) waiting.came();
  } while (follows && !subscriber.is_over() && waiting.pause());
  return {.document = subscriber.end(follows)};
}

// The events are all that standard output holds.
std::string event_tail_text(const Document&, const Style&) { return {}; }

}  // namespace reprise
