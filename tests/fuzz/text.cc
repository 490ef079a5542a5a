// Unicode's verbs on any bytes: what comes out is a part of what went in, or the same said folded.
#include <algorithm>
#include <array>

#include "journal/error.h"
#include "journal/value.h"
#include "tests/fuzz/input.h"
#include "tests/fuzz/target.h"
#include "unicode/unicode.h"

namespace reprise::fuzz {

namespace {

constexpr std::array<std::string_view, 16> kWords = {"\xc3\x84",
                                                     "\xc3\x9f",
                                                     "\xef\xac\x83",
                                                     "e\xcc\x81",
                                                     "\xce\xa3",
                                                     "\xe2\x80\x83",
                                                     "\xc2\xa0",
                                                     "\xe2\x80\xae",
                                                     "_",
                                                     "\xd9\xa3",
                                                     "\xf0\x9f\x98\x80",
                                                     "\xed\xa0\x80",
                                                     "\xf4\x90\x80\x80",
                                                     "\xc4\xb0",
                                                     "\xe3\x81\x8b\xe3\x82\x99",
                                                     "\xff"};

bool is_text(std::string_view text) {
  try {
    parse_value(quote(text), "the text");
    return true;
  } catch (const Error&) {
    return false;
  }
}

void expect_part(std::string_view part, std::string_view text, std::string_view what) {
  expect(part.empty() ||
             (part.data() >= text.data() && part.data() + part.size() <= text.data() + text.size()),
         what);
}

void check(std::string_view bytes, Subject subject) {
  Input input(bytes);
  const size_t most = input.byte() % 32;
  const auto text = input.rest();
  const bool valid = is_text(text);

  const auto trimmed = unicode::trimmed(text);
  expect_part(trimmed, text, "what is trimmed is a part");
  expect_equal(unicode::trimmed(trimmed), trimmed, "to trim twice is to trim once");

  const auto first = subject == Subject::kReal ? unicode::first(text, most) : text.substr(0, most);
  expect(text.starts_with(first), "the first code points begin the text");
  if (valid) {
    expect(unicode::count(first) == std::min(most, unicode::count(text)),
           "as many code points as asked for");
    expect(is_text(first), "a text is not cut within a code point");
  }

  const auto folded = unicode::fold(text);
  if (valid) expect(is_text(folded), "a folded text is a text");
  if (!valid) return expect_equal(folded, text, "what is no text is passed on");
  for (const auto& word : unicode::words(text)) {
    expect(!word.empty() && folded.find(word) != std::string::npos, "words are those of the text");
    expect(is_text(word), "a word is a text");
    expect(unicode::words(word).size() == 1, "a word is one word");
  }
}

}  // namespace

const Target kTarget{"text", kWords, check};

}  // namespace reprise::fuzz
