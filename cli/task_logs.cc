// task:logs: what the program that performs an effect wrote, and writes.
#include <unistd.h>

#include <array>
#include <functional>

#include "cli/commands.h"
#include "cli/output.h"
#include "cli/session.h"
#include "cli/streams.h"
#include "cli/text.h"
#include "cli/user_values.h"
#include "cli/waiting.h"
#include "engine/inspect.h"
#include "engine/task_log.h"
#include "journal/error.h"
#include "journal/ids.h"

namespace reprise {
namespace {

constexpr size_t kDocumentBytes = size_t{1} << 20U;

bool is_effect_settled(const EffectInfo& effect) { return effect.status != "requested"; }

std::string log_of(const Arguments& arguments, const EffectInfo& effect) {
  const bool is_error = arguments.has("--stderr");
  const auto& ref = is_error ? effect.stderr_ref : effect.stdout_ref;
  const auto number = arguments.count("--attempt");
  if (!number && is_effect_settled(effect) && !ref.empty()) return ref;
  const auto attempt = static_cast<uint32_t>(number.value_or(effect.request.attempt));
  return task_log_path(format_effect_id(effect.request.id), attempt,
                       is_error ? "stderr" : "stdout");
}

// Reads on where it stopped; from the beginning again when the file is another one.
class LogReader {
 public:
  LogReader(Dir& run, std::string path) : x_run(&run), x_path(std::move(path)) {}

  bool exists() const { return x_run->stat(x_path).has_value(); }
  const std::string& path() const { return x_path; }

  template <typename Take>
  void read_on(Take take) {
    const auto file = x_run->open(x_path, Access::kRead);
    if (file == nullptr) return;
    const auto inode = file->stat().inode;
    if (inode != x_inode) x_offset = 0;
    x_inode = inode;
    std::array<char, 65'536> buffer{};
    while (const auto size = file->read_at(x_offset, buffer.data(), buffer.size())) {
      x_offset += size;
      take(std::string_view(buffer.data(), size));
    }
  }

 private:
  Dir* x_run;
  std::string x_path;
  uint64_t x_inode = 0;
  uint64_t x_offset = 0;
};

void follow(const Arguments& arguments, const Session& session, Dir& run,
            const EffectSelector& selector, const std::function<void(std::string_view)>& print) {
  const auto wait = arguments.value("--wait-for");
  Waiting waiting(session.context().host,
                  wait ? parse_duration_ms(*wait, "--wait-for") : kLongestWaitMs);
  LogReader log(run, log_of(arguments, find_effect(run, selector)));
  while (true) {
    // Whether it is settled is asked before the last bytes are read, not after.
    const auto effect = find_effect(run, selector);
    const auto path = log_of(arguments, effect);
    if (path != log.path()) {
      log.read_on(print);
      log = LogReader(run, path);
    }
    log.read_on(print);
    if (is_effect_settled(effect) || !arguments.has("--follow") || !waiting.pause()) return;
  }
}

}  // namespace

Reply task_logs(const Arguments& arguments) {
  const Session session(arguments);
  const auto named = session.find_effect("--key");
  Dir& run = *named.run.dir;
  const auto effect = find_effect(run, named.effect);
  LogReader log(run, log_of(arguments, effect));
  if (!log.exists() && (!arguments.has("--follow") || is_effect_settled(effect))) {
    throw Error(Exit::kNotFound, "LOG_NOT_FOUND",
                format_effect_id(effect.request.id) + " of " + named.run.name + " has no log at " +
                    log.path(),
                "a log begins when somebody performs the effect; --follow waits for it");
  }
  const auto flag = [&arguments](std::string_view name) { return arguments.value(name); };
  const bool streams = output_options(flag, false).mode == OutputMode::kText;
  const bool escapes = ::isatty(STDOUT_FILENO) == 1 && !arguments.has("--raw");
  follow(arguments, session, run, named.effect, [&](std::string_view bytes) {
    if (streams && escapes) write_out(shown_lines(bytes));
    if (streams && !escapes) write_out(bytes);
  });
  std::string text;
  uint64_t size = 0;
  LogReader again(run, log_of(arguments, find_effect(run, named.effect)));
  if (!streams) {
    again.read_on([&](std::string_view bytes) {
      size += bytes.size();
      text.append(bytes);
      if (text.size() > 2 * kDocumentBytes) text.erase(0, text.size() - kDocumentBytes);
    });
  }
  if (text.size() > kDocumentBytes) text.erase(0, text.size() - kDocumentBytes);
  Reply reply{.document = new_document()};
  reply.document["runId"] = named.run.name;
  reply.document["effectId"] = format_effect_id(effect.request.id);
  reply.document["path"] = again.path();
  reply.document["bytes"] = size;
  reply.document["text"] = text;
  return reply;
}

// The log is all that standard output holds.
std::string task_logs_text(const Document&, const Style&) { return {}; }

}  // namespace reprise
