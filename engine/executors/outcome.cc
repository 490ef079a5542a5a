#include "engine/executors/outcome.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdint>

#include "engine/json_writer.h"

namespace reprise {

namespace {

/// The length of the UTF-8 sequence that begins here; 0 when none does.
size_t sequence_length(std::string_view bytes) {
  const auto at = [&](size_t i) { return static_cast<uint8_t>(bytes[i]); };
  const uint8_t first = at(0);
  if (first < 0x80) return 1;
  const size_t length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  if (first < 0xc2 || first > 0xf4 || bytes.size() < length) return 0;
  for (size_t i = 1; i < length; i++) {
    if ((at(i) & 0xc0U) != 0x80) return 0;
  }
  // Overlong forms, surrogates, and what lies beyond U+10FFFF.
  const bool wrong = (first == 0xe0 && at(1) < 0xa0) || (first == 0xed && at(1) > 0x9f) ||
                     (first == 0xf0 && at(1) < 0x90) || (first == 0xf4 && at(1) > 0x8f);
  return wrong ? 0 : length;
}

/// A tail may begin within a sequence.
std::string tail_text(const ProgramStream& stream) {
  std::string_view tail = stream.tail;
  if (stream.bytes > tail.size()) {
    for (int i = 0; i < 3 && !tail.empty(); i++) {
      if ((static_cast<uint8_t>(tail.front()) & 0xc0U) == 0x80) tail.remove_prefix(1);
    }
  }
  return valid_text(tail);
}

std::string failure_message(const ProgramEnd& end, const ProgramTerms& terms) {
  if (end.silent) {
    return terms.name + " was stopped after " + std::to_string(terms.idle_timeout_ms) +
           " ms of silence";
  }
  if (end.timed_out) {
    return terms.name + " was stopped after " + std::to_string(terms.timeout_ms) + " ms";
  }
  if (end.stopped) return terms.name + " was stopped";
  if (!end.problem.empty()) return end.problem;
  return terms.name + " ended with exit code " + std::to_string(end.exit_code) +
         (terms.expected_exit_code == 0
              ? ""
              : ", not " + std::to_string(terms.expected_exit_code) + " as expected");
}

}  // namespace

std::string valid_text(std::string_view bytes) {
  std::string text;
  text.reserve(bytes.size());
  while (!bytes.empty()) {
    const auto length = sequence_length(bytes);
    text.append(length == 0 ? "\xef\xbf\xbd" : bytes.substr(0, length));
    bytes.remove_prefix(length == 0 ? 1 : length);
  }
  return text;
}

bool tells_too_long(std::string_view message) {
  constexpr std::array<std::string_view, 6> kWords = {"context length",     "context size",
                                                      "context window",     "context_length",
                                                      "prompt is too long", "input is too long"};
  const auto is_same = [](char a, char b) {
    return std::tolower(static_cast<unsigned char>(a)) == b;
  };
  return std::ranges::any_of(kWords, [&](std::string_view words) {
    const auto found =
        std::search(message.begin(), message.end(), words.begin(), words.end(), is_same);
    return found != message.end();
  });
}

Outcome error_outcome(std::string_view name, std::string_view message, std::string_view data,
                      bool is_final) {
  JsonWriter error;
  error.text("name", name).text("message", valid_text(message)).raw_if("data", data);
  if (is_final) error.raw("retryable", "false");
  Outcome outcome;
  outcome.value = error.done();
  return outcome;
}

Outcome program_outcome(const ProgramEnd& end, const ProgramTerms& terms) {
  JsonWriter data;
  data.signed_number("exitCode", end.exit_code)
      .text("stdout", tail_text(end.out))
      .text("stderr", tail_text(end.err))
      .flag("stdoutTruncated", end.out.bytes > end.out.tail.size())
      .flag("stderrTruncated", end.err.bytes > end.err.tail.size());
  if (end.timed_out || end.stopped || !end.problem.empty() ||
      end.exit_code != terms.expected_exit_code) {
    const auto name = end.timed_out ? "TimeoutError" : end.stopped ? "Stopped" : "CommandFailed";
    return error_outcome(name, failure_message(end, terms), data.done());
  }
  Outcome outcome;
  outcome.ok = true;
  outcome.value = data.flag("success", true).done();
  return outcome;
}

}  // namespace reprise
