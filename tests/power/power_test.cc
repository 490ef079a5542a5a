// The power fails at every place of every command, and now and then once more while what was left
// is recovered. Where more than 12 changes are not durable at once, states are drawn at random: 200
// of them, 10,000 with REPRISE_NIGHTLY=1, which also tells states apart that differ only in derived
// files of tasks.
#include <catch2/catch.hpp>
#include <cstdlib>
#include <iostream>

#include "journal/memory_files.h"
#include "tests/power/scenes.h"

namespace reprise::test {
namespace {

#ifdef REPRISE_SANITIZED
constexpr uint64_t kSamples = 20;
constexpr uint64_t kNightlySamples = 1'000;
#else
constexpr uint64_t kSamples = 200;
constexpr uint64_t kNightlySamples = 10'000;
#endif

Power power() {
  const bool nightly = std::getenv("REPRISE_NIGHTLY") != nullptr;
  return {.samples = nightly ? kNightlySamples : kSamples,
          .again = nightly ? 20U : 200U,
          .all = nightly};
}

TEST_CASE("Whatever a power failure leaves of a command, nothing acknowledged is lost") {
  Findings all;
  for (const auto& scene : power_scenes()) {
    const auto found = cut_power_in(scene, power());
    std::cout << scene.name << ": " << found.places << " places, " << found.states << " states, "
              << found.sampled << " places sampled\n";
    CHECK(found.places > 0);
    for (const auto& violation : found.violations) {
      INFO(violation);
      CHECK(false);
    }
    all.places += found.places;
    all.states += found.states;
  }
  std::cout << "all: " << all.places << " places, " << all.states << " states\n";
}

TEST_CASE("The files of a task whose bytes a power failure took are written again") {
  MemoryFiles files;
  Site site(files.root());
  site.create("r", {.built_in = "asker"}, R"({"asks":[{"label":"a"}]})");
  site.iterate("r");
  const std::vector<std::string> names{"tasks/t1/task.json", "tasks/t1/input.json"};
  std::vector<std::string> whole;
  whole.reserve(names.size());
  for (const auto& name : names) whole.push_back(*read_file(site.run("r").dir(), name));
  files.power_loss(true);
  REQUIRE(read_file(site.run("r").dir(), names[0])->empty());
  site.iterate("r");
  for (size_t i = 0; i < names.size(); ++i) {
    INFO(names[i]);
    CHECK(read_file(site.run("r").dir(), names[i]) == whole[i]);
  }
}

/// A build that leaves out the syncs of these paths.
void is_caught(const Scene& scene, const std::string& part) {
  Power broken;
  broken.forgets = [&](const std::string& path) { return path.find(part) != std::string::npos; };
  const auto found = cut_power_in(scene, broken);
  INFO(scene.name << " without syncing " << part);
  CHECK_FALSE(found.violations.empty());
}

TEST_CASE("A build that does not sync is caught") {
  const auto scenes = power_scenes();
  const auto named = [&](const std::string& name) -> const Scene& {
    for (const auto& scene : scenes) {
      if (scene.name == name) return scene;
    }
    throw std::out_of_range(name);
  };
  is_caught(large_post(), "/journal/00000001.jsonl");
  is_caught(large_post(), "/blobs/");
  is_caught(large_post(), "/tasks/t1/stdout.log");
  is_caught(large_post(), "/tasks/t1/");
  is_caught(named("a script from its creation on"), "/memory/");
  is_caught(named("a script from its creation on"), "/process/");
  is_caught(named("a parent that makes its child"), "/memory/");
  is_caught(named("a new segment"), "/journal/");
  is_caught(named("behind a torn tail"), "/journal/00000001.jsonl");
}

}  // namespace
}  // namespace reprise::test
