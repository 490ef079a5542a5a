// A journal of any bytes. The first byte says how they are to be taken: whether the lines get the
// sums that they should have, and whether there is a witness and where it stands.
#include <array>

#include "journal/line.h"
#include "journal/record.h"
#include "journal/segment.h"
#include "journal/witness.h"
#include "tests/fuzz/input.h"
#include "tests/fuzz/journal_check.h"
#include "tests/fuzz/sealed.h"
#include "tests/fuzz/target.h"

namespace reprise::fuzz {

namespace {

constexpr std::array<std::string_view, 6> kWords = {
    "{\"format\":\"reprise-journal\",\"version\":1,\"writer\":\"reprise 0.1.0\",\"segment\":2,"
    "\"identity\":\"demo:5eed\",\"first\":2,\"previous\":\"0123456789abcdef\",\"sum\":"
    "\"0123456789abcdef\"}\n",
    "\"more\":true,",
    "\"n\":1,",
    "\"n\":2,",
    "{\"seq\":2",
    "\n"};
constexpr std::string_view kHeader = "{\"format\"";

enum Mode : unsigned { kSealed = 1, kWitnessed = 2, kWitnessAhead = 4, kOtherSum = 8 };

/// Each header begins the next segment.
void put_segments(std::string_view lines, FileTree& files) {
  uint32_t segment = 0;
  for (Input input(lines); !input.at_end();) {
    const auto rest = input.rest();
    const auto line = input.line();
    if (segment == 0 || line.starts_with(kHeader)) ++segment;
    files[segment_path(segment)] += rest.substr(0, line.size() + 1);
  }
}

/// At the end of the record that `choice` chooses among those of segment 1.
std::optional<Witness> witness_at(std::string_view segment, unsigned choice, unsigned mode) {
  Witness witness{.head = {.segment = 1}};
  for (Input input(segment); !input.at_end();) {
    const auto line = input.line();
    std::string_view body;
    if (!split_line(line, &body, &witness.head.sum)) return std::nullopt;
    witness.head.offset += line.size() + 1;
    if (witness.head.seq++ == choice) break;
  }
  witness.head.seq -= 1;  // the header's
  if ((mode & kWitnessAhead) != 0) witness.head.seq += 2;
  if ((mode & kOtherSum) != 0) witness.head.sum ^= 1;
  return witness;
}

void check(std::string_view bytes, Subject subject) {
  Input input(bytes);
  const unsigned mode = input.byte();
  const unsigned choice = input.byte() % 16;
  FileTree files;
  put_segments((mode & kSealed) != 0 ? sealed_lines(input.rest()) : std::string(input.rest()),
               files);
  if ((mode & kWitnessed) != 0) {
    const auto witness = witness_at(files[segment_path(1)], choice, mode);
    if (witness) files["state/head"] = encode_slot(*witness);
  }
  check_journal(files, subject);
}

}  // namespace

const Target kTarget{"segments", kWords, check};

}  // namespace reprise::fuzz
