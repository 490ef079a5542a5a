#include "json/scan.h"

#include <catch2/catch.hpp>
#include <cstring>
#include <memory>
#include <string>

using namespace reprise;

namespace {

/// Exactly the bytes: what is read behind them is seen by the sanitizer.
struct Exact {
  explicit Exact(std::string_view text) : bytes(new char[text.size()]), size(text.size()) {
    std::memcpy(bytes.get(), text.data(), text.size());
  }
  std::string_view view() const { return {bytes.get(), size}; }

  std::unique_ptr<char[]> bytes;
  size_t size;
};

}  // namespace

TEST_CASE("members and elements are found as they stand") {
  std::string seen;
  CHECK(json::members(R"( {"a": 1, "b\"": [1,"]"] , "c":{"d":"}"} } )",
                      [&](std::string_view name, std::string_view raw) {
                        seen.append(name).append("=").append(raw).append(";");
                      }));
  CHECK(seen == R"(a=1;b\"=[1,"]"];c={"d":"}"};)");
  seen.clear();
  CHECK(json::elements(R"([1 , "\\", {"x":2},[]])",
                       [&](std::string_view raw) { seen.append(raw).append(";"); }));
  CHECK(seen == R"(1;"\\";{"x":2};[];)");
}

TEST_CASE("a text that ends within a string ends the walk, and asking on finds nothing") {
  for (const char* text : {"\"a\\", "\"\\", "\"", "\"12345678\\", "{\"a\\", "[\"a\\"}) {
    INFO(text);
    const Exact exact(text);
    std::string_view found;
    json::Cursor cursor(exact.view());
    cursor.take('{');
    cursor.take('[');
    CHECK_FALSE(cursor.string(found));
    CHECK_FALSE(cursor.value(found));
    CHECK_FALSE(cursor.string(found));
    CHECK(cursor.at_end());
  }
}
