#include "journal/settle.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>

#include "journal/hash.h"
#include "journal/ids.h"

namespace reprise {

namespace {

/// The name says where the bytes were and what they are, so keeping them again changes nothing.
std::string keep(Dir& run, const std::string& folder, uint32_t segment, uint64_t offset,
                 std::string_view bytes) {
  char place[48];
  std::snprintf(place, sizeof place, "/%08u-%llu-", segment,
                static_cast<unsigned long long>(offset));
  std::string path = folder + place + format_hex64(hash64(bytes)) + ".bin";
  run.make_dir(folder);
  run.sync_dir("journal");
  replace_file(run, path, bytes, true);
  return path;
}

}  // namespace

uint64_t bytes_behind(Dir& run, const Head& head) {
  uint64_t bytes = 0;
  for (const uint32_t segment : list_segments(run)) {
    if (segment < head.segment) continue;
    const uint64_t size = run.stat(segment_path(segment)).value_or(FileStat{}).size;
    bytes += segment == head.segment ? size - std::min(size, head.offset) : size;
  }
  return bytes;
}

std::string cut_tail(Dir& run, const Head& head, const std::string& folder) {
  std::string kept;
  std::vector<uint32_t> segments = list_segments(run);
  std::reverse(segments.begin(), segments.end());
  bool removed = false;
  for (const uint32_t segment : segments) {
    if (segment < head.segment) break;
    const std::string path = segment_path(segment);
    const uint64_t offset = segment == head.segment ? head.offset : 0;
    const std::unique_ptr<File> file = run.open(path, Access::kWrite);
    if (!file) continue;
    const Chunk tail = read_chunk(*file, segment, offset);
    if (tail.size != 0) kept = keep(run, folder, segment, offset, tail.view());
    if (segment != head.segment) {
      removed = run.remove(path) || removed;
    } else if (tail.size != 0) {
      file->truncate(offset);
      file->sync();
    }
  }
  if (removed) run.sync_dir("journal");
  return kept;
}

void rewrite(Dir& run, const std::vector<Chunk>& chunks, const Head* from, const Head& head) {
  for (const Chunk& chunk : chunks) {
    if (chunk.segment > head.segment || (from != nullptr && chunk.segment < from->segment))
      continue;
    const bool first = from != nullptr && chunk.segment == from->segment;
    const uint64_t begin = first ? from->offset : chunk.offset;
    const uint64_t end = chunk.segment == head.segment ? head.offset : chunk.end();
    if (begin >= end) continue;
    const std::unique_ptr<File> file = run.open(segment_path(chunk.segment), Access::kWrite);
    if (!file) throw system_error("open", segment_path(chunk.segment), ENOENT);
    file->write_at(begin, chunk.view().substr(begin - chunk.offset, end - begin));
    file->sync();
  }
  if (from == nullptr || from->segment != head.segment) run.sync_dir("journal");
}

}  // namespace reprise
