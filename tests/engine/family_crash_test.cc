// Parents and children that die between their commits.
#include <catch2/catch.hpp>

#include "tests/engine/folder_fixture.h"

namespace reprise::test {
namespace {

/// Everything that can happen next to these runs, until nothing does.
void settle(Folder& folder, bool child_first) {
  for (int round = 0; round < 6; ++round) {
    for (const bool child : {child_first, !child_first}) {
      const std::string id = child ? "r.t1" : "r";
      if (!folder.exists(id)) continue;
      folder.iterate(id);
      auto run = folder.run(id);
      if (child && run.state().open.contains(1)) run.post("t1", R"({"exitCode":0})");
    }
  }
}

/// The runs of `whole`, the parent's and the child's journals cut behind so many commits; 0: there
/// is no child yet.
void copy_cut(Folder& whole, Folder& cut, size_t parent, size_t child) {
  for (const std::string id : {"r", "r.t1"}) {
    const auto commits = id == "r" ? parent : child;
    if (commits == 0) continue;
    cut.world.runs->make_dir(id);
    const auto copy = cut.world.runs->open_dir(id);
    copy_tree(whole.run(id).dir(), *copy, "");
    cut_run(*copy, commits);
  }
}

TEST_CASE("A crash between any two commits of a parent and its child heals in either order") {
  const bool child_first = GENERATE(true, false);
  const bool cancelled = GENERATE(true, false);
  Folder whole;
  whole.create("r", kChild);
  whole.iterate("r");
  whole.iterate("r.t1");
  if (cancelled) whole.cancel("r");
  settle(whole, child_first);
  const auto parents = whole.run("r").commits();
  const auto children = whole.run("r.t1").commits();
  const std::string end = cancelled ? "cancelled" : "completed";
  REQUIRE(whole.run("r").status() == end);
  REQUIRE(whole.run("r.t1").status() == end);
  for (size_t parent = 1; parent <= parents; ++parent) {
    for (size_t child = 0; child <= children; ++child) {
      INFO("parent cut behind commit " << parent << ", child behind " << child);
      Folder cut;
      copy_cut(whole, cut, parent, child);
      // What a parent took is durable in its child; what a child was told, in its parent.
      if (!cancelled && parent > 2 && child < children) continue;
      if (cancelled && parent == 1 && child > 0) continue;
      if (cancelled && parent < 3 && child > 2) continue;
      if (cancelled && parent > 2 && child == 0) continue;
      if (cancelled && parent < 3) cut.cancel("r");
      settle(cut, child_first);
      CHECK(cut.run("r").status() == end);
      CHECK(cut.run("r").end() == whole.run("r").end());
      if (cut.exists("r.t1")) CHECK(cut.run("r.t1").status() == end);
      cut.run("r").check_replay();
    }
  }
}

}  // namespace
}  // namespace reprise::test
