// Makes the history of a run long, as the engine would have written it, a thousand records a commit
// instead of one: `applied` counts only as the largest so far, so replay cannot tell the
// difference.
//
// Usage: bench_fill_run RUN_DIR effects N [posted]
//          The run was iterated once and waits for its first effect. N effects are resolved, and
//          effect N + 1 waits. With `posted` the result of effect N is the last record instead.
//          The requests are copies of the first one; the last number in its inputs counts on.
//        bench_fill_run RUN_DIR signals N
//          N signals and the iterations that took them, 2 * N records.
#include <charconv>
#include <cstdio>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "engine/json_writer.h"
#include "journal/blobs.h"
#include "journal/ids.h"
#include "journal/journal.h"
#include "journal/json_reader.h"
#include "journal/real_files.h"
#include "journal/run_dir.h"
#include "journal/value.h"

namespace reprise {
namespace {

constexpr size_t kRecordsPerCommit = 1000;
constexpr std::string_view kResult = R"({"exitCode":0,"stdout":"ok"})";

/// The first request of the run, as a pattern for the others.
class RequestPattern {
 public:
  explicit RequestPattern(std::string_view data) {
    JsonReader reader;
    const auto& members = reader.members_of_copy(data);
    if (members.text("effectId") != "t1") throw std::runtime_error("its first effect is not t1");
    x_inputs = members.raw("inputs");
    const size_t end = x_inputs.find_last_of("0123456789");
    if (end == std::string::npos) throw std::runtime_error("its inputs hold no number");
    const size_t before = x_inputs.find_last_not_of("0123456789", end);
    const size_t begin = before == std::string::npos ? 0 : before + 1;
    std::from_chars(&x_inputs[begin], &x_inputs[end + 1], x_first);
    x_tail = x_inputs.substr(end + 1);
    x_inputs.resize(begin);
    for (const auto& member : members) {
      x_members.emplace_back(std::string(member.name), std::string(member.raw));
    }
  }

  std::string data(uint64_t effect) const {
    const std::string inputs = x_inputs + std::to_string(x_first + effect - 1) + x_tail;
    JsonWriter json;
    for (const auto& [name, raw] : x_members) {
      if (name == "effectId") {
        json.text(name, format_effect_id(effect));
      } else if (name == "digest") {
        json.text(name, digest128(inputs));
      } else {
        json.raw(name, name == "inputs" ? inputs : raw);
      }
    }
    return json.done();
  }

 private:
  std::vector<std::pair<std::string, std::string>> x_members;
  std::string x_inputs;  ///< up to the number that counts
  std::string x_tail;
  uint64_t x_first = 0;
};

std::string resolution_data(uint64_t effect) {
  return JsonWriter()
      .text("effectId", format_effect_id(effect))
      .number("attempt", 1)
      .text("status", "ok")
      .text("digest", digest128(kResult))
      .raw("by", R"({"user":"bench","host":"bench","command":"task:post"})")
      .raw("value", kResult)
      .done();
}

std::string signal_data(uint64_t number) {
  return JsonWriter().text("name", "note").raw("value", std::to_string(number)).done();
}

class Filler {
 public:
  explicit Filler(Dir& run) {
    const auto visit = [this](const RecordView& record) {
      if (record.type == RecordType::kEffectRequested) x_request = record.data;
    };
    x_journal = Journal::open(run, nullptr, Keep::kNothing, visit);
    x_seq = x_journal->head().seq;
  }

  void fill_effects(uint64_t count, bool posted) {
    const RequestPattern request(x_request);
    for (uint64_t effect = 1; effect <= count; ++effect) {
      add({RecordType::kEffectResolved, 0, 0, resolution_data(effect)});
      if (effect == count && posted) break;
      const uint64_t cause = x_seq;
      add({RecordType::kEffectRequested, cause, cause, request.data(effect + 1)});
    }
    flush();
  }

  void fill_signals(uint64_t count) {
    for (uint64_t i = 1; i <= count; ++i) {
      add({RecordType::kSignalReceived, 0, 0, signal_data(i)});
      const uint64_t applied = x_seq;
      add({RecordType::kIterated, 0, applied, "{}"});
    }
    flush();
  }

 private:
  void add(NewRecord record) {
    x_commit.push_back(std::move(record));
    ++x_seq;
    if (x_commit.size() == kRecordsPerCommit) flush();
  }

  void flush() {
    if (!x_commit.empty()) x_journal->append(x_commit, x_journal->head().at_ms);
    x_commit.clear();
  }

  std::optional<Journal> x_journal;
  std::string x_request;
  std::vector<NewRecord> x_commit;
  uint64_t x_seq = 0;
};

int fill(const std::vector<std::string>& words) {
  if (words.size() < 3) throw std::runtime_error("RUN_DIR effects|signals N [posted]");
  const auto run = open_real_dir(words[0], false);
  if (!run) throw std::runtime_error("there is no directory " + words[0]);
  const auto lock = lock_run(*run, 1000, "bench");
  Filler filler(*run);
  const uint64_t count = std::stoull(words[2]);
  if (words[1] == "signals") {
    filler.fill_signals(count);
  } else {
    filler.fill_effects(count, words.size() > 3);
  }
  return 0;
}

}  // namespace
}  // namespace reprise

int main(int argc, char** argv) {
  try {
    return reprise::fill({argv + 1, argv + argc});
  } catch (const std::exception& error) {
    std::fprintf(stderr, "bench_fill_run: %s\n", error.what());
    return 1;
  }
}
