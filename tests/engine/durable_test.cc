// What a command acknowledges is durable, and what is durable is acknowledged: a failure of
// anything that comes behind the commit is a note, no error.
#include <catch2/catch.hpp>
#include <functional>

#include "engine/signal.h"
#include "engine/stop.h"
#include "journal/error.h"
#include "journal/memory_files.h"
#include "tests/engine/run_fixture.h"
#include "tests/fakes/fault_files.h"

namespace reprise::test {
namespace {

using DirCommand = std::function<void(Dir& run, const Context& context)>;

const std::string kOneStepScript = R"(import { defineTask } from 'reprise';
const step = defineTask('step', () => ({ kind: 'agent' }));
export async function process(inputs, ctx) { return await ctx.task(step, {}); })";

bool is_commit(const std::string& operation) { return operation.starts_with("sync journal/"); }

/// Fails each operation of the command in turn, from a run that is made anew each time.
void fail_everywhere(const DirCommand& prepare, const DirCommand& command) {
  for (uint64_t fail_at = 1;; ++fail_at) {
    World world;
    MemoryFiles files;
    world.runs = files.root();
    TestRun run(world, kOneStepScript);
    prepare(run.dir(), world.context);
    const auto records = run.state().head.seq;
    Faults faults;
    faults.fail_at = fail_at;
    const auto dir = with_faults(world.runs->open_dir(run.state().run_id), faults);
    bool acknowledged = true;
    try {
      command(*dir, world.context);
    } catch (const Error& error) {
      acknowledged = false;
      CHECK(error.exit() == Exit::kSystem);
    }
    if (faults.count < fail_at) return;
    INFO("failed: " << faults.log[fail_at - 1]);
    const auto commit = std::ranges::find_if(faults.log, is_commit) - faults.log.begin();
    const bool durable = commit + 1 < static_cast<std::ptrdiff_t>(fail_at);
    CHECK(acknowledged >= durable);
    files.power_loss();
    CHECK((run.state().head.seq > records) == acknowledged);
  }
}

void nothing(Dir&, const Context&) {}
void first_iterate(Dir& run, const Context& context) { iterate(run, context); }
void post_large(Dir& run, const Context& context) {
  Post post;
  post.effect.id = 1;
  post.value = parse_value('"' + std::string(kInlineValueBytes, 'x') + '"', "value");
  post.standard_output = "out";
  post_result(run, context, post);
}

TEST_CASE("Whatever fails in an iterate, it is acknowledged exactly when it is durable") {
  fail_everywhere(nothing, first_iterate);
}

TEST_CASE("Whatever fails in the iterate that ends a run, it is acknowledged when it is durable") {
  fail_everywhere(
      [](Dir& run, const Context& context) {
        first_iterate(run, context);
        post_large(run, context);
      },
      first_iterate);
}

TEST_CASE("Whatever fails in a post, it is acknowledged exactly when it is durable") {
  fail_everywhere(first_iterate, post_large);
}

TEST_CASE("Whatever fails in a signal, it is acknowledged exactly when it is durable") {
  fail_everywhere(nothing, [](Dir& run, const Context& context) {
    send_signal(run, context, {"x", parse_value("1", "value"), "key", false});
  });
}

TEST_CASE("Whatever fails in a cancellation or a halt, it is acknowledged when it is durable") {
  fail_everywhere(first_iterate, [](Dir& run, const Context& context) {
    cancel_effect(run, context, {1, {}}, "", false);
  });
  fail_everywhere(first_iterate, [](Dir& run, const Context& context) {
    halt_run(run, context, "enough", false);
  });
}

}  // namespace
}  // namespace reprise::test
