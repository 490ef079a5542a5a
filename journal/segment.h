// One file of the journal: where it lies, the header line that it begins with, reading its bytes.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "journal/error.h"
#include "journal/files.h"

namespace reprise {

/// The formats of a segment differ in nothing but their number: 2 says that the run has rules
/// (engine/process/rules.h), which version 0.1.0 would pass over.
constexpr uint64_t kFormatWithoutRules = 1;
constexpr uint64_t kNewestFormat = 2;
constexpr bool is_known_format(uint64_t version) {
  return version == kFormatWithoutRules || version == kNewestFormat;
}

/// Line 1 of a segment:
///   {"format":"reprise-journal","version":1,"writer":"reprise
///   0.1.0","segment":1,"identity":"...","first":1,
///    "previous":"<sum>","sum":"<sum>"}
/// Every version keeps the first three members first and the last two last.
struct SegmentHeader {
  uint64_t version = 0;
  std::string writer;  ///< the program that began the segment
  uint64_t segment = 0;
  std::string identity;
  uint64_t first = 0;  ///< seq of the first record
  uint64_t previous =
      0;  ///< the last sum of the segment before; of segment 1 the XXH3-64 of the identity
  uint64_t sum = 0;
};

/// "journal/00000001.jsonl"
std::string segment_path(uint32_t segment);

/// The numbers of the segments that are there, in order.
std::vector<uint32_t> list_segments(Dir& run);

/// The line with its newline; its writer is this program. `identity` needs no escapes in JSON. Sets
/// `sum` to the header's.
std::string encode_header(uint64_t version, uint32_t segment, std::string_view identity,
                          uint64_t first, uint64_t previous, uint64_t* sum);

/// Why a line is no header: a fixed text, or nullptr when it is one. Of a header in another version
/// only version, writer, previous and sum are filled.
const char* decode_header(std::string_view line, SegmentHeader* header);

/// The header of a segment, read again for whoever has to name its writer or go on with its
/// identity. nullopt when there is none, or a damaged one.
std::optional<SegmentHeader> read_header(Dir& run, uint32_t segment);

/// What to say of a segment or a record that a newer version wrote.
Error too_new_error(uint32_t segment, const SegmentHeader& header, std::string_view what);

/// The number of the line that begins at (or holds) `offset`, from 1; counted by reading the
/// segment.
uint64_t line_number(Dir& run, uint32_t segment, uint64_t offset);

/// Bytes of a segment from `offset` to its end.
struct Chunk {
  uint32_t segment = 0;
  uint64_t offset = 0;
  size_t size = 0;
  std::unique_ptr<char[]> bytes;

  std::string_view view() const { return {bytes.get(), size}; }
  uint64_t end() const { return offset + size; }
};
Chunk read_chunk(File& file, uint32_t segment, uint64_t offset);

}  // namespace reprise
