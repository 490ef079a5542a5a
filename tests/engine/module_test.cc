// Modules are taken only when they were built with this binary.
#include "engine/module.h"

#include <catch2/catch.hpp>

#include "engine/process/script_module.h"
#include "journal/error.h"

using namespace reprise;

namespace {

ModuleQuery script_query() {
  return {.file = "libreprise_script.so",
          .symbol = "reprise_script_module",
          .abi = REPRISE_SCRIPT_ABI,
          .what = "the script engine",
          .error = "SCRIPT_ENGINE_MISSING",
          .path = REPRISE_TEST_MODULE};
}

std::string module_refusal(const ModuleQuery& query) {
  try {
    open_module(query);
  } catch (const Error& error) {
    CHECK(error.exit() == Exit::kBug);
    CHECK(error.code() == "SCRIPT_ENGINE_MISSING");
    CHECK(error.hint().find(" belongs beside the reprise binary") != std::string::npos);
    return error.message();
  }
  return "taken";
}

}  // namespace

TEST_CASE("A module opened twice gives the same table") {
  CHECK(open_module(script_query()) == open_module(script_query()));
}

TEST_CASE("A module of another interface is refused") {
  auto query = script_query();
  query.abi += 1;
  CHECK(module_refusal(query).find(
            "the script engine cannot be loaded: it was built with reprise") == 0);
}

TEST_CASE("A library that is no module is refused") {
  auto query = script_query();
  query.symbol = "reprise_no_such_module";
  CHECK(module_refusal(query) == "the script engine cannot be loaded: it is no module of reprise");
}

TEST_CASE("A module that is not there is named") {
  auto query = script_query();
  query.path = "/nowhere/libreprise_script.so";
  CHECK(module_refusal(query).find("/nowhere/libreprise_script.so") != std::string::npos);
  query.path.clear();
  query.file = "libreprise_script.so.absent";
  CHECK(module_refusal(query).find("not found") != std::string::npos);
}
