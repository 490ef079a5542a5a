// A name is made anew rather than emptied: whoever still writes the log of an attempt that was lost
// has a file without a name then, and does not write into this one.
#include "engine/task_log.h"

#include <algorithm>

#include "journal/error.h"

namespace reprise {

std::string task_log_path(std::string_view effect, uint32_t attempt, std::string_view stream) {
  const auto number = attempt == 1 ? "" : "." + std::to_string(attempt);
  return "tasks/" + std::string(effect) + "/" + std::string(stream) + number + ".log";
}

TaskLog::TaskLog(Dir& run, const std::string& effect, uint32_t attempt, uint64_t limit_bytes)
    : x_run(run), x_folder("tasks/" + effect), x_limit(limit_bytes) {
  x_run.make_dir(x_folder);
  open(x_out, task_log_path(effect, attempt, "stdout"));
  open(x_err, task_log_path(effect, attempt, "stderr"));
}

void TaskLog::open(Stream& stream, std::string path) {
  stream.path = std::move(path);
  x_run.remove(stream.path);
  stream.file = x_run.open(stream.path, Access::kCreateNew);
  if (stream.file != nullptr) return;
  throw Error(
      Exit::kConflict, "LOG_IN_USE", stream.path + " cannot be made: the name is taken",
      "remove it if it is a folder; if not, another executor performs the same attempt, and "
      "one of the two lost its claim");
}

template <typename Action>
void TaskLog::attempt(Stream& stream, Action action) {
  if (stream.file == nullptr) return;
  try {
    action();
  } catch (const Error& error) {
    stream.file.reset();
    stream.path.clear();
    x_problem = error.message();
  }
}

void TaskLog::write(bool is_error, std::string_view bytes) {
  Stream& stream = is_error ? x_err : x_out;
  const auto room = std::min<uint64_t>(bytes.size(), x_limit - std::min(x_limit, stream.size));
  stream.dropped += bytes.size() - room;
  if (room == 0) return;
  attempt(stream, [&] { stream.file->write_at(stream.size, bytes.substr(0, room)); });
  stream.size += room;
}

void TaskLog::cut_output(uint64_t bytes) {
  if (x_out.size + x_out.dropped <= bytes) return;
  x_out.dropped = 0;
  x_out.size = std::min(x_out.size, bytes);
  attempt(x_out, [&] { x_out.file->truncate(x_out.size); });
}

void TaskLog::close() {
  for (Stream* stream : {&x_out, &x_err}) {
    attempt(*stream, [&] {
      if (stream->dropped != 0) {
        const auto notice =
            "\n[reprise: " + std::to_string(stream->dropped) + " more bytes were not kept]\n";
        stream->file->write_at(stream->size, notice);
      }
      stream->file->sync();
    });
  }
  try {
    for (const auto& folder : {x_folder, std::string("tasks"), std::string()}) {
      x_run.sync_dir(folder);
    }
  } catch (const Error& error) {
    x_problem = error.message();
    x_out.path.clear();
    x_err.path.clear();
  }
}

}  // namespace reprise
