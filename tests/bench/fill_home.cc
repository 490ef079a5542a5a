// Makes a home of many runs as the engine would have written them, without syncing: each with its
// ten records and its state cache. All wait for a shell command but every hundredth, which asks a
// person, and DUE of them, whose sleep was over long ago.
//
// Usage: bench_fill_home HOME RUNS DUE
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "engine/json_writer.h"
#include "engine/run.h"
#include "journal/clock.h"
#include "journal/hash.h"
#include "journal/ids.h"
#include "journal/real_files.h"
#include "journal/segment.h"
#include "journal/value.h"

namespace reprise {
namespace {

namespace fs = std::filesystem;

constexpr int64_t kBeginMs = 1'767'225'600'000;  // 2026-01-01
constexpr uint64_t kResolved = 4;

/// The text of a journal of one segment.
class JournalText {
 public:
  explicit JournalText(const std::string& identity) {
    x_text = encode_header(1, identity, 1, hash64(identity), &x_sum);
  }
  void add(RecordType type, const std::string& data, uint64_t cause, int64_t at_ms) {
    const NewRecord record{type, cause, cause, data};
    x_text += encode_record(record, ++x_seq, at_ms, false, 1, x_sum, &x_sum) + "\n";
  }
  uint64_t last() const { return x_seq; }
  const std::string& text() const { return x_text; }

 private:
  std::string x_text;
  uint64_t x_sum = 0;
  uint64_t x_seq = 0;
};

std::string created(const std::string& name, const std::string& seed, const std::string& path) {
  return JsonWriter()
      .text("runId", name)
      .text("runDir", path)
      .text("seed", seed)
      .text("processId", "checklist")
      .text("inputsDigest", std::string(32, '0'))
      .raw("process", R"({"type":"builtin","name":"checklist"})")
      .raw("labels", R"({"team":"web"})")
      .raw("inputs", R"({"steps":["make"]})")
      .done();
}

std::string request(uint64_t effect, const char* kind, int64_t due_ms) {
  JsonWriter json;
  json.text("effectId", format_effect_id(effect)).text("taskId", "checklist.step");
  json.text("kind", kind).text("label", "make").text("digest", std::string(32, '0'));
  if (due_ms > 0) json.signed_number("dueMs", due_ms);
  return json.raw("inputs", R"({"command":"make","step":)" + std::to_string(effect) + "}").done();
}

std::string resolution(uint64_t effect) {
  return JsonWriter()
      .text("effectId", format_effect_id(effect))
      .number("attempt", 1)
      .text("status", "ok")
      .text("digest", std::string(32, '0'))
      .raw("value", R"({"exitCode":0,"stdout":"ok"})")
      .done();
}

void write_file(const fs::path& path, const std::string& text) {
  std::ofstream file(path, std::ios::binary);
  if (!(file << text)) throw std::runtime_error("cannot write " + path.string());
}

void make_run(const fs::path& runs, const std::string& name, uint64_t number, bool due) {
  const auto folder = runs / name;
  const auto at_ms = kBeginMs + static_cast<int64_t>(number);
  const std::string seed(32, 'a');
  JournalText journal(name + ":" + seed);
  journal.add(RecordType::kRunCreated, created(name, seed, folder.string()), 0, at_ms);
  for (uint64_t effect = 1; effect <= kResolved; ++effect) {
    journal.add(RecordType::kEffectRequested, request(effect, "shell", 0), journal.last(), at_ms);
    journal.add(RecordType::kEffectResolved, resolution(effect), 0, at_ms);
  }
  const char* kind = due ? "sleep" : number % 100 == 0 ? "breakpoint" : "shell";
  journal.add(RecordType::kEffectRequested, request(kResolved + 1, kind, due ? at_ms : 0),
              journal.last(), at_ms);
  fs::create_directories(folder / "journal");
  fs::create_directories(folder / "state");
  write_file(folder / "journal/00000001.jsonl", journal.text());
  const auto run = open_real_dir(folder.string(), false);
  store_state(*run, read_state(*run, true).state, {});
}

int fill(const std::vector<std::string>& words) {
  if (words.size() != 3) throw std::runtime_error("HOME RUNS DUE");
  const auto runs = fs::path(words[0]) / "runs";
  fs::create_directories(runs);
  const auto count = std::stoull(words[1]);
  const auto due = std::stoull(words[2]);
  SeededRandom random;
  for (uint64_t i = 1; i <= count; ++i) {
    make_run(runs, make_ulid(kBeginMs + static_cast<int64_t>(i), random), i, i <= due);
  }
  return 0;
}

}  // namespace
}  // namespace reprise

int main(int argc, char** argv) {
  try {
    return reprise::fill({argv + 1, argv + argc});
  } catch (const std::exception& error) {
    std::fprintf(stderr, "bench_fill_home: %s\n", error.what());
    return 1;
  }
}
