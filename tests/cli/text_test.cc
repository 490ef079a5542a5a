#include "cli/text.h"

#include <catch2/catch.hpp>

using namespace reprise;

TEST_CASE("data cannot act on the terminal") {
  CHECK(shown("plain é 日本") == "plain é 日本");
  CHECK(shown("\x1b[31mred\x07") == "\\x1b[31mred\\x07");
  CHECK(shown("a\nb\tc\rd") == "a\\nb\\tc\\rd");
  CHECK(shown("user\u202etxt.exe") == "user\\u202etxt.exe");
  CHECK(shown("\u2066x\u2069\u200b") == "\\u2066x\\u2069\\u200b");
  CHECK(shown("\xc2\x9b") == "\\x9b");
}

TEST_CASE("bytes that are no UTF-8 are shown as such") {
  CHECK(shown("a\xff") == "a\\xff");
  CHECK(shown("\xc0\xaf") == "\\xc0\\xaf");
  CHECK(shown("\xed\xa0\x80") == "\\xed\\xa0\\x80");
  CHECK(shown("\xf0\x9f\x98") == "\\xf0\\x9f\\x98");
  CHECK(shown("\xf0\x9f\x98\x80") == "\xf0\x9f\x98\x80");
}

TEST_CASE("long data is cut by characters, not by bytes") {
  CHECK(shown("abcdef", 6) == "abcdef");
  CHECK(shown("abcdefg", 6) == "abc...");
  CHECK(shown("ééééééé", 6) == "ééé...");
  CHECK(shown(std::string(100000, '\x01'), 8) == "\\x01\\...");
}

TEST_CASE("a table pads every cell but the last of a row") {
  Table table;
  table.add({{"t1"}, {"shell", Colour::kRed}, {"build"}});
  table.add({{"t10"}, {"é"}, {""}});
  CHECK(table.print({}) == "t1   shell  build\nt10  é\n");
  CHECK(table.print({}, "  ") == "  t1   shell  build\n  t10  é\n");
}

TEST_CASE("colour does not change the alignment") {
  Table table;
  table.add({{"ok", Colour::kGreen}, {"x"}});
  table.add({{"error", Colour::kRed}, {"y"}});
  CHECK(table.print({.colour = true}) == "\x1b[32mok\x1b[0m     x\n\x1b[31merror\x1b[0m  y\n");
}

TEST_CASE("a count of one has the word for one") {
  CHECK(counted(0, "signal", "signals") == "0 signals");
  CHECK(counted(1, "signal", "signals") == "1 signal");
  CHECK(counted(2, "signal", "signals") == "2 signals");
}

TEST_CASE("a headline leaves out a reason that only repeats the status") {
  CHECK(headline({}, "r", "cancelled", "") == "r  cancelled\n");
  CHECK(headline({}, "r", "ready", "ready") == "r  ready\n");
  CHECK(headline({}, "r", "failed", "out of\nmilk") == "r  failed  out of\\nmilk\n");
}

TEST_CASE("a paragraph is broken between words") {
  CHECK(wrapped("one two three", 8, "") == "one two\nthree\n");
  CHECK(wrapped("one two", 8, "  ") == "  one\n  two\n");
  CHECK(wrapped("unbreakable word", 4, "") == "unbreakable\nword\n");
  CHECK(wrapped("", 8, "").empty());
}
