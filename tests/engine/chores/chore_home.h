// A home on a real disk with agents, a board and channels, as a chore meets it.
#pragma once

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "engine/agents/agent.h"
#include "engine/ask.h"
#include "engine/heartbeat/chore.h"
#include "engine/home_run.h"
#include "processes/agents/agents.h"
#include "processes/board/board.h"
#include "processes/channel/channel.h"
#include "tests/engine/index/index_fixture.h"

namespace reprise::test {

using Json = nlohmann::json;

class ChoreHome : public IndexedHome {
 public:
  ChoreHome() {
    auto& all = folder.world.built_ins;
    for (const auto& process : {agents_process(), board_process(), channel_process()}) {
      all.push_back(process);
    }
    folder.world.context.built_ins = all;
  }

  /// What is due, as "key: what" each.
  std::vector<std::string> due(Chore& chore) {
    std::vector<std::string> keys;
    in_beat([&](BeatHome& home) {
      for (const auto& one : chore.due(home)) keys.push_back(one.key);
    });
    return keys;
  }
  /// Does all that is due; how much it was.
  size_t perform(Chore& chore) {
    size_t count = 0;
    in_beat([&](BeatHome& home) {
      for (const auto& one : chore.due(home)) {
        chore.perform(home, one);
        ++count;
      }
    });
    return count;
  }
  /// The same although it is not due, or was done.
  void perform(Chore& chore, const std::string& key) {
    in_beat([&](BeatHome& home) { chore.perform(home, {.key = key, .what = "", .run = ""}); });
  }

  void make(const std::string& name, const std::string& process) {
    open_home_run(workspace, folder.world.context, {.name = name, .process = process});
  }
  void tell(const std::string& run, const std::string& name, const Json& value) {
    Signal signal;
    signal.name = name;
    signal.value = parse_value(value.dump(), "a signal");
    const auto dir = folder.world.runs->open_dir(run);
    tell_among(place_of_runs(), run, *dir, folder.world.context, {signal}, After::kIterate, {});
  }
  Json asked(const std::string& run, const Json& question) {
    const auto dir = folder.world.runs->open_dir(run);
    return Json::parse(reprise::ask(*dir, folder.world.context, question.dump()));
  }
  size_t records(const std::string& run) {
    return read_state(*folder.world.runs->open_dir(run)).state.head.seq;
  }
  /// Posts the result of the open effect with that key, and goes on.
  void post(const std::string& run, const std::string& key, const Json& value) {
    const auto dir = folder.world.runs->open_dir(run);
    Post post;
    post.effect.key = key;
    post.ok = true;
    post.value = parse_value(value.dump(), "a result");
    post_result(*dir, folder.world.context, post);
    iterate_among(place_of_runs(), run, *dir, folder.world.context);
  }

  Workspace workspace{{.runs_dir = runs_path}, true};

 private:
  RunFolder place_of_runs() {
    return {*folder.world.runs, runs_path,
            [](const std::string&) -> std::optional<std::string> { return {}; }};
  }
  template <typename Use>
  void in_beat(const Use& use) {
    auto all = index();
    const Config config;
    BeatHome home{.workspace = workspace,
                  .context = folder.world.context,
                  .index = all,
                  .asked = x_asked,
                  .config = config,
                  .now_ms = folder.world.clock.now_ms()};
    use(home);
  }

  AskedRuns x_asked;
};

}  // namespace reprise::test
