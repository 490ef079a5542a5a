// What tends to break readers: ends in the wrong place, things twice or in another order, numbers
// at a border, and the words of their own language where they do not belong.
#include "tests/fuzz/mutate.h"

#include <array>

namespace reprise::fuzz {

namespace {

using namespace std::string_view_literals;

constexpr std::array kNumbers = {
    "0"sv,   "-1"sv,         "007"sv,        "255"sv,
    "256"sv, "4294967295"sv, "4294967296"sv, "9007199254740993"sv,
    "-0"sv,  "1e999"sv,      "1e-400"sv,     "18446744073709551616"sv,
};
constexpr std::string_view kBytes = "\0\x01\n\r\t \"\\{}[]:,-.\x7f\x80\xc0\xed\xff"sv;

class Mutation {
 public:
  Mutation(std::string_view text, std::string_view other, std::span<const std::string_view> words,
           uint64_t seed)
      : x_text(text), x_other(other), x_words(words), x_chance(seed) {}

  std::string done() {
    for (size_t left = 1 + x_chance.below(8); left > 0; --left) change();
    if (x_text.size() > kLargestInput) x_text.resize(kLargestInput);
    return std::move(x_text);
  }

 private:
  struct Range {
    size_t begin;
    size_t size;
  };
  size_t place() { return x_chance.below(x_text.size() + 1); }
  /// Short ones are more likely.
  Range range_in(std::string_view text) {
    const size_t begin = x_chance.below(text.size() + 1);
    const size_t most = std::min(text.size() - begin, size_t{1} << x_chance.below(10));
    return {begin, x_chance.below(most + 1)};
  }
  Range line() {
    const size_t at = place();
    const size_t before = at == 0 ? std::string::npos : x_text.rfind('\n', at - 1);
    const size_t begin = before == std::string::npos ? 0 : before + 1;
    const size_t end = x_text.find('\n', begin);
    return {begin, (end == std::string::npos ? x_text.size() : end + 1) - begin};
  }
  std::string piece(Range range) const { return x_text.substr(range.begin, range.size); }

  void change_byte() {
    if (x_text.empty()) return;
    char& byte = x_text[x_chance.below(x_text.size())];
    byte = x_chance.below(2) == 0
               ? kBytes[x_chance.below(kBytes.size())]
               : static_cast<char>(static_cast<unsigned char>(byte) ^ 1U << x_chance.below(8));
  }
  void change_number() {
    const size_t begin = x_text.find_first_of("0123456789", place());
    if (begin == std::string::npos) return;
    const size_t end = std::min(x_text.find_first_not_of("0123456789", begin), x_text.size());
    x_text.replace(begin, end - begin, kNumbers[x_chance.below(kNumbers.size())]);
  }
  void put_word() {
    if (x_words.empty()) return change_byte();
    x_text.insert(place(), x_words[x_chance.below(x_words.size())]);
  }
  void remove() {
    const auto range = range_in(x_text);
    x_text.erase(range.begin, range.size);
  }
  void repeat() {
    const auto text = piece(range_in(x_text));
    std::string many;
    for (size_t left = 1 + x_chance.below(1U << x_chance.below(8)); left > 0; --left) {
      if (many.size() < kLargestInput) many += text;
    }
    x_text.insert(place(), many);
  }
  void move_line() {
    const auto from = line();
    const auto text = piece(from);
    if (x_chance.below(2) == 0) x_text.erase(from.begin, from.size);
    x_text.insert(line().begin, text);
  }
  void put_other() {
    const auto range = range_in(x_other);
    x_text.insert(place(), x_other.substr(range.begin, range.size));
  }
  void cut() { x_text.resize(place()); }

  void change() {
    using Change = void (Mutation::*)();
    static constexpr std::array<Change, 12> kChanges = {
        &Mutation::change_byte, &Mutation::change_byte,   &Mutation::change_byte,
        &Mutation::put_word,    &Mutation::put_word,      &Mutation::change_number,
        &Mutation::remove,      &Mutation::change_number, &Mutation::repeat,
        &Mutation::move_line,   &Mutation::put_other,     &Mutation::cut,
    };
    (this->*kChanges[x_chance.below(kChanges.size())])();
  }

  std::string x_text;
  std::string_view x_other;
  std::span<const std::string_view> x_words;
  Chance x_chance;
};

}  // namespace

uint64_t Chance::next() {
  x_state += 0x9e3779b97f4a7c15U;
  uint64_t mixed = x_state;
  mixed = (mixed ^ mixed >> 30U) * 0xbf58476d1ce4e5b9U;
  mixed = (mixed ^ mixed >> 27U) * 0x94d049bb133111ebU;
  return mixed ^ mixed >> 31U;
}

std::string mutate(std::string_view input, std::string_view other,
                   std::span<const std::string_view> words, uint64_t seed) {
  return Mutation(input, other, words, seed).done();
}

}  // namespace reprise::fuzz
