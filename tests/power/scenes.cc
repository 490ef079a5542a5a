#include "tests/power/scenes.h"

#include <string>

#include "engine/attempt.h"
#include "engine/claim.h"
#include "engine/mend.h"
#include "engine/signal.h"
#include "engine/stop.h"
#include "journal/journal.h"

namespace reprise::test {

namespace {

const std::string kTwo = R"({"asks":[{"label":"a"},{"label":"b"}]})";
const std::string kJournal = "journal/00000001.jsonl";

void nothing(Site&) {}

Command after(const Command& before, const Command& command) {
  return [=](Site& site) {
    before(site);
    command(site);
  };
}

void create_asker(Site& site) { site.create("r", {.built_in = "asker"}, kTwo); }
void create_script(Site& site) { site.create("r", {.entry = "/source/main.js"}, "{}"); }
void create_parent(Site& site) { site.create("r", {.built_in = "family"}, kChild); }
void create_sender(Site& site) {
  site.create("other", {.built_in = "family"}, R"({"ask":[{"kind":"agent"}]})");
  site.iterate("other");
  const std::string letter = R"({"run":"other","name":"news","value":1})";
  site.create("r", {.built_in = "family"},
              R"({"ask":[{"kind":"run.signal","args":)" + letter + "}]}");
}
void iterate_it(Site& site) { site.iterate("r"); }
void iterate_both(Site& site) {
  site.iterate("r");
  if (site.world.runs->stat("r.t1")) site.iterate("r.t1");
}

Command post(const std::string& effect) {
  return [effect](Site& site) { site.run("r").post(effect, R"({"exitCode":0})"); };
}

void post_large_result(Site& site) {
  Post post;
  post.effect.id = 1;
  post.value = parse_value('"' + std::string(kInlineValueBytes, 'x') + '"', "value");
  post.standard_output = "out";
  post_result(site.run("r").dir(), site.world.context, post);
}

void post_error(Site& site) { site.run("r").post_error("t1", R"({"message":"no"})"); }

void signal(Site& site) {
  send_signal(site.run("r").dir(), site.world.context,
              {"x", parse_value(R"({"effect":1})", "value"), "key", false});
}

void claim(Site& site) {
  site.world.host.processes[101] = 1;
  claim_effect(site.run("r").dir(), site.world.context,
               {.effect = EffectSelector{1, {}}, .worker = "ann", .pid = 101, .lease_ms = 60'000});
}

void cancel_one(Site& site) {
  cancel_effect(site.run("r").dir(), site.world.context, {1, {}}, "enough", false);
}
void pause(Site& site) { pause_run(site.run("r").dir(), site.world.context, "", false); }
void resume(Site& site) { resume_run(site.run("r").dir(), site.world.context, "", false); }
void halt(Site& site) { halt_run(site.run("r").dir(), site.world.context, "enough", false); }
void cancel_all(Site& site) {
  cancel_run(site.run("r").dir(), site.world.context, "enough", false);
}
void retry(Site& site) { site.run("r").retry(); }
void rewind(Site& site) { site.run("r").rewind("1"); }
void rebuild(Site& site) { rebuild_run(site.run("r").dir(), site.world.context); }
void mend(Site& site) { repair_run(site.run("r").dir(), site.world.context, true, false); }

/// A commit that begins a segment of its own, unless that was done.
void next_segment(Site& site) {
  const auto dir = site.world.runs->open_dir("r");
  const auto lock = dir->lock("run.lock", LockMode::kExclusive, 0, "bench");
  auto journal = Journal::open(
      *dir, nullptr, Keep::kNothing, [](const RecordView&) {}, 1);
  if (journal->head().segment > 1) return;
  const NewRecord record{.type = RecordType::kSignalReceived,
                         .data = R"({"name":"x","value":{"effect":1}})"};
  journal->append({&record, 1}, site.world.clock.now_ms());
}

/// A writer that died in the middle of its write.
void tear(Site& site) {
  const auto dir = site.world.runs->open_dir("r");
  const auto file = dir->open(kJournal, Access::kWrite);
  file->write_at(file->stat().size, R"({"seq":4,"type":"EFFECT_RESOLVED","at":"20)");
}

/// A writer that died between its write and its sync.
void unsettle(Site& site) {
  const auto dir = site.world.runs->open_dir("r");
  const auto witness = *read_file(*dir, "state/head");
  post("t1")(site);
  dir->open("state/head", Access::kWrite)->write_at(0, witness);
}

/// The last acknowledged record is damaged.
void damage(Site& site) {
  const auto dir = site.world.runs->open_dir("r");
  const auto file = dir->open(kJournal, Access::kWrite);
  file->write_at(file->stat().size - 4, "?");
}

}  // namespace

Scene large_post() {
  return {"a large post", after(create_asker, iterate_it), {post_large_result}};
  // NOLINTNEXTLINE(clang-analyzer-cplusplus.NewDeleteLeaks): what a std::function holds is its own.
}

std::vector<Scene> power_scenes() {
  const auto asked = after(create_asker, iterate_it);
  const auto script = after(create_script, iterate_it);
  const auto failed = after(script, after(post_error, iterate_it));
  return {
      {"a built-in process from its creation on", nothing, {create_asker, iterate_it}},
      {"two posts and their iterate", asked, {post("t1"), post("t2"), iterate_it}},
      large_post(),
      {"a large post and its iterate", asked, {post_large_result, iterate_it}},
      {"a signal with a key", asked, {signal, iterate_it}},
      {"a claim", asked, {claim}},
      {"an effect cancelled", asked, {cancel_one, iterate_it}},
      {"a pause", asked, {pause, resume}},
      {"a halt", asked, {halt}},
      {"a run cancelled", asked, {cancel_all, iterate_it}},
      {"a script from its creation on", nothing, {create_script, iterate_it}},
      {"a script that goes on", script, {post("t1"), iterate_it}},
      {"a retry", failed, {retry}},
      {"a rewind", after(script, after(post("t1"), iterate_it)), {rewind, iterate_it}},
      {"a parent that makes its child", nothing, {create_parent, iterate_both}},
      {"a signal to another run", create_sender, {iterate_it}},
      {"behind a torn tail", after(asked, tear), {post("t1")}},
      {"behind a commit beyond the witness", after(asked, unsettle), {post("t2")}},
      {"a new segment", asked, {next_segment, post("t2")}},
      {"everything derived anew", asked, {rebuild}},
      {"a repair", after(asked, after(post("t1"), damage)), {mend}, true},
  };
}

}  // namespace reprise::test
