#include "journal/segment.h"

#include <algorithm>
#include <charconv>
#include <cstdio>

#include "journal/line.h"

namespace reprise {

namespace {

constexpr size_t kNameDigits = 8;
constexpr std::string_view kSuffix = ".jsonl";
constexpr uint64_t kMaxSegmentSize = uint64_t{4} << 30;
constexpr std::string_view kPreviousPrefix = ",\"previous\":\"";
constexpr size_t kPreviousSize = kPreviousPrefix.size() + 17;

std::optional<uint32_t> parse_segment_name(std::string_view name) {
  if (name.size() != kNameDigits + kSuffix.size() || !name.ends_with(kSuffix)) return std::nullopt;
  uint32_t number = 0;
  const auto [end, error] = std::from_chars(name.data(), name.data() + kNameDigits, number);
  if (error != std::errc() || end != name.data() + kNameDigits) return std::nullopt;
  return number;
}

const char* decode_header_fields(LineReader line, SegmentHeader* header) {
  std::string_view writer, identity;
  if (!line.skip("{\"format\":\"reprise-journal\",\"version\":") ||
      !line.number(&header->version) || !line.skip(",\"writer\":\"") || !line.until('"', &writer)) {
    return "the segment does not begin with a journal header";
  }
  header->writer = writer;
  if (!is_known_format(header->version)) return nullptr;
  if (!line.skip(",\"segment\":") || !line.number(&header->segment) ||
      !line.skip(",\"identity\":\"") || !line.until('"', &identity) || !line.skip(",\"first\":") ||
      !line.number(&header->first) || line.rest().size() != kPreviousSize) {
    return "the segment's header is incomplete";
  }
  header->identity = identity;
  return nullptr;
}

}  // namespace

std::string segment_path(uint32_t segment) {
  char path[32];
  std::snprintf(path, sizeof path, "journal/%08u.jsonl", segment);
  return path;
}

std::vector<uint32_t> list_segments(Dir& run) {
  std::vector<uint32_t> segments;
  for (const std::string& name : run.list("journal")) {
    if (const auto number = parse_segment_name(name)) segments.push_back(*number);
  }
  return segments;
}

std::string encode_header(uint64_t version, uint32_t segment, std::string_view identity,
                          uint64_t first, uint64_t previous, uint64_t* sum) {
  std::string line = "{\"format\":\"reprise-journal\",\"version\":";
  line += std::to_string(version);
  line += ",\"writer\":\"reprise " REPRISE_VERSION "\",\"segment\":";
  line += std::to_string(segment);
  line += ",\"identity\":\"";
  line += identity;
  line += "\",\"first\":";
  line += std::to_string(first);
  line += kPreviousPrefix;
  line += format_hex64(previous) + '"';
  *sum = seal_line(line, previous);
  line += '\n';
  return line;
}

const char* decode_header(std::string_view line, SegmentHeader* header) {
  std::string_view body;
  if (!split_line(line, &body, &header->sum)) return "the header does not end with a sum";
  if (body.size() < kPreviousSize) return "the header names no sum before it";
  const std::string_view end = body.substr(body.size() - kPreviousSize);
  const auto previous = parse_hex64(end.substr(kPreviousPrefix.size(), 16));
  if (!end.starts_with(kPreviousPrefix) || !end.ends_with('"') || !previous) {
    return "the header names no sum before it";
  }
  header->previous = *previous;
  if (hash64(body, header->previous) != header->sum) return "the header's sum does not match";
  return decode_header_fields(LineReader(body), header);
}

std::optional<SegmentHeader> read_header(Dir& run, uint32_t segment) {
  const std::unique_ptr<File> file = run.open(segment_path(segment), Access::kRead);
  if (!file) return std::nullopt;
  char buffer[4096];
  const std::string_view text(buffer, file->read_at(0, buffer, sizeof buffer));
  SegmentHeader header;
  const size_t size = text.find('\n');
  if (size == std::string_view::npos || decode_header(text.substr(0, size), &header) != nullptr) {
    return std::nullopt;
  }
  return header;
}

Error too_new_error(uint32_t segment, const SegmentHeader& header, std::string_view what) {
  std::string message = segment_path(segment);
  message += ", begun by ";
  message += header.writer.empty() ? "an unknown version" : header.writer;
  message += ", holds ";
  message += what;
  return Error(
      Exit::kCorrupt, "JOURNAL_TOO_NEW", std::move(message),
      "use the version of reprise that wrote this run, or a newer one (this is " REPRISE_VERSION
      "); nothing is damaged");
}

uint64_t line_number(Dir& run, uint32_t segment, uint64_t offset) {
  const std::string text = read_file(run, segment_path(segment)).value_or("");
  const auto end = text.begin() + static_cast<ptrdiff_t>(std::min<uint64_t>(offset, text.size()));
  return 1 + static_cast<uint64_t>(std::count(text.begin(), end, '\n'));
}

Chunk read_chunk(File& file, uint32_t segment, uint64_t offset) {
  const uint64_t size = file.stat().size;
  if (size > kMaxSegmentSize) {
    throw Error(Exit::kCorrupt, "JOURNAL_CORRUPT",
                segment_path(segment) + " has " + std::to_string(size) +
                    " bytes, more than any segment can have",
                "restore the run from a copy");
  }
  Chunk chunk;
  chunk.segment = segment;
  chunk.offset = offset;
  const size_t wanted = size > offset ? static_cast<size_t>(size - offset) : 0;
  chunk.bytes.reset(new char[wanted]);
  chunk.size = wanted != 0 ? file.read_at(offset, chunk.bytes.get(), wanted) : 0;
  return chunk;
}

}  // namespace reprise
