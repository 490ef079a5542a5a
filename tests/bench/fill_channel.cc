// Makes the history of a channel long, as its own commands would: messages of a given size, each
// answered by a reply of that size, until the journal has so many records.
//
// Usage: bench_fill_channel RUN_DIR RECORDS CHARACTERS
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string>

#include "engine/json_writer.h"
#include "engine/post.h"
#include "engine/tell.h"
#include "journal/clock.h"
#include "journal/ids.h"
#include "journal/real_files.h"
#include "processes/channel/channel.h"

namespace reprise {
namespace {

Signal message(uint64_t number, const std::string& text) {
  const auto id = "fill-" + std::to_string(number);
  const auto value = JsonWriter()
                         .text("msgId", id)
                         .raw("author", R"({"id":"bench","name":"bench"})")
                         .text("content", text)
                         .raw("flags", R"({"dm":true})")
                         .done();
  return {.name = "channel.message", .value = parse_value(value, "the message"), .key = id};
}

void fill(Dir& run, uint64_t records, size_t characters) {
  WallClock clock;
  SystemRandom random;
  ScriptHost scripts({});
  ThisHost host;
  const BuiltIn channel = channel_process();
  const Context context{clock, random,        scripts,
                        host,  {&channel, 1}, {"bench", "bench", "message:post"}};
  const std::string text(characters, 'x');
  Post post;
  post.value = parse_value(JsonWriter().text("text", text).done(), "the reply");
  for (uint64_t number = 1;; ++number) {
    auto told = tell(run, context, {message(number, text)}, After::kIterate, {});
    if (told.iteration.state.head.seq >= records) return;
    if (told.iteration.state.open.empty()) throw std::runtime_error("nobody is asked");
    post.effect.id = told.iteration.state.open.rbegin()->first;
    post_result(run, context, post);
  }
}

}  // namespace
}  // namespace reprise

int main(int argc, char** argv) {
  try {
    if (argc != 4) throw std::runtime_error("RUN_DIR RECORDS CHARACTERS");
    const auto run = reprise::open_real_dir(argv[1], false);
    if (!run) throw std::runtime_error("there is no run");
    reprise::fill(*run, std::stoul(argv[2]), std::stoul(argv[3]));
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "bench_fill_channel: %s\n", error.what());
    return 1;
  }
}
