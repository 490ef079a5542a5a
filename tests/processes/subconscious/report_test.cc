#include "processes/subconscious/report.h"

#include <catch2/catch.hpp>
#include <random>

#include "processes/subconscious/approval.h"
#include "processes/subconscious/texts.h"

namespace reprise::subconscious {
namespace {

bool is_utf8(std::string_view text) {
  return kit::Json::accept(
             kit::Json(text).dump(-1, ' ', false, kit::Json::error_handler_t::replace)) &&
         kit::Json(text).dump(-1, ' ', false, kit::Json::error_handler_t::replace).find("\ufffd") ==
             std::string::npos;
}

TEST_CASE("A report holds its sections in order, and leaves empty ones out") {
  const auto report =
      compose_report({{"a", "First", "one"}, {"b", "Second", ""}, {"c", "Third", "three\n"}}, 1000);
  CHECK(report.text == "## First\n\none\n\n## Third\n\nthree\n");
  CHECK(report.sections == std::vector<std::string>{"a", "c"});
  CHECK_FALSE(report.truncated);
}

TEST_CASE("A report is cut between characters, and says so") {
  CHECK(cut("Hello", 6) == "Hello");
  CHECK(cut("Hello", 3) == "Hel");
  CHECK(cut("\u20ac\u20ac", 5) == "\u20ac");
  CHECK(cut("\u20ac", 2).empty());
  const auto report = compose_report({{"a", "A", "\u20ac\u20ac\u20ac"}, {"b", "B", "b"}}, 11);
  CHECK(report.text == "## A\n\n\u20ac" + std::string(kCutMarker));
  CHECK(report.truncated);
  CHECK(report.sections == std::vector<std::string>{"a"});
}

TEST_CASE("No report is longer than its budget and the marker, and all are UTF-8") {
  std::mt19937_64 random(7);
  const std::vector<std::string> kPieces = {"a", "\n", "\u00e4", "\u20ac", "\U0001f600", " "};
  for (int i = 0; i < 2000; ++i) {
    std::vector<Section> sections;
    for (uint64_t s = random() % 5; s > 0; --s) {
      std::string text;
      for (uint64_t p = random() % 40; p > 0; --p) text += kPieces[random() % kPieces.size()];
      sections.push_back({"s", "\u00dcber", text});
    }
    const size_t budget = random() % 120;
    const auto report = compose_report(sections, budget);
    CHECK(report.text.size() <= budget + (report.truncated ? std::string(kCutMarker).size() : 0));
    CHECK(is_utf8(report.text));
  }
}

TEST_CASE("Cards about executors and connections name the command that mends them") {
  CHECK(fix_for("reconnect the local executor", {"local", "cloud"}) ==
        "reprise executor:test local");
  CHECK(fix_for("the OAuth token of the calendar has expired", {"local"}) == "reprise doctor");
  CHECK(fix_for("forward 3 urgent emails to #team-alerts", {"local"}).empty());
  CHECK(fix_for("the hooked carpet", {}).empty());
}

}  // namespace
}  // namespace reprise::subconscious
