#include "journal/scan.h"

#include <cstring>

#include "journal/line.h"

namespace reprise {

namespace {

class Scanner {
 public:
  Scanner(Dir& run, const ScanRequest& request, const RecordVisitor& visit)
      : x_run(run), x_request(request), x_visit(visit) {}

  std::optional<ScanResult> scan() {
    if (x_request.start != nullptr) x_result.head = *x_request.start;
    x_seq = x_result.head.seq;
    x_sum = x_result.head.sum;
    if (x_request.start != nullptr) compare_with_witness(x_seq);

    uint32_t segment = x_request.start != nullptr ? x_request.start->segment : 1;
    x_chunk.segment = segment;
    while (open_segment(segment) && read_segment()) segment++;
    if (!x_stale && !x_result.stop) find_missing_end(segment);
    if (x_request.from != nullptr && x_result.head.seq < x_request.from->seq) x_stale = true;
    if (x_stale) return std::nullopt;
    keep_chunk();
    return std::move(x_result);
  }

 private:
  bool open_segment(uint32_t segment);
  bool read_segment();
  bool read_header();
  bool read_line(std::string_view line);
  bool commit(const RecordView& last);
  void find_missing_end(uint32_t next);
  void compare_with_witness(uint64_t seq_before);

  void keep_chunk() {
    if (x_chunk.bytes && x_chunk.segment >= x_request.keep_from) {
      x_result.chunks.push_back(std::move(x_chunk));
    }
  }

  bool stop(const char* reason, bool at_end = false, bool well_summed = false) {
    x_result.stop = Stop{
        x_chunk.segment, x_chunk.offset + x_position, reason, at_end, well_summed, x_seq + 1, x_sum,
        x_chunk.end()};
    return false;
  }

  Dir& x_run;
  const ScanRequest& x_request;
  const RecordVisitor& x_visit;
  ScanResult x_result;
  std::string x_identity;
  std::shared_ptr<File> x_file;
  Chunk x_chunk;
  size_t x_position = 0;  ///< in x_chunk
  uint64_t x_seq = 0;
  uint64_t x_sum = 0;
  std::vector<RecordView> x_pending;  ///< of a commit whose last record was not read yet
  bool x_stale = false;
};

bool Scanner::open_segment(uint32_t segment) {
  const Head* start = x_request.start;
  const bool anchored = start != nullptr && segment == start->segment;
  x_file = x_run.open(segment_path(segment), x_request.access);
  if (!x_file) {
    x_stale = anchored;
    return false;
  }
  keep_chunk();
  if (!anchored) {
    x_chunk = read_chunk(*x_file, segment, 0);
    x_position = 0;
    return true;
  }
  if (start->offset < kAnchorSize) {
    x_stale = true;
    return false;
  }
  x_chunk = read_chunk(*x_file, segment, start->offset - kAnchorSize);
  x_position = kAnchorSize;
  x_result.file = x_file;
  x_stale = x_chunk.size < kAnchorSize ||
            x_chunk.view().substr(0, kAnchorSize) != format_sum(start->sum) + '\n';
  return !x_stale;
}

/// False when reading ends here.
bool Scanner::read_segment() {
  if (x_chunk.offset + x_position == 0 && !read_header()) return false;
  const std::string_view bytes = x_chunk.view();
  while (x_position < bytes.size()) {
    const char* begin = bytes.data() + x_position;
    const void* newline = std::memchr(begin, '\n', bytes.size() - x_position);
    if (newline == nullptr) return stop("the line has no end", true);
    const std::string_view line(begin,
                                static_cast<size_t>(static_cast<const char*>(newline) - begin));
    if (!read_line(line)) return false;
  }
  // A segment is begun by the commit that it holds, so it holds at least one.
  if (!x_pending.empty() || x_result.head.segment != x_chunk.segment) {
    return stop("the end of the commit is missing", true);
  }
  return true;
}

bool Scanner::read_header() {
  const std::string_view bytes = x_chunk.view();
  const size_t size = bytes.find('\n');
  if (size == std::string_view::npos) {
    return stop(bytes.empty() ? "the segment is empty" : "the header has no end", true);
  }
  SegmentHeader header;
  if (const char* reason = decode_header(bytes.substr(0, size), &header)) return stop(reason);
  if (!is_known_format(header.version)) {
    throw too_new_error(x_chunk.segment, header,
                        "journal format " + std::to_string(header.version));
  }
  if (x_identity.empty() && x_chunk.segment > 1) {  // reading began within the segment before
    const auto before = reprise::read_header(x_run, x_chunk.segment - 1);
    if (before) x_identity = before->identity;
  }
  const uint64_t previous = x_chunk.segment == 1 ? hash64(header.identity) : x_sum;
  if (header.previous != previous || header.segment != x_chunk.segment ||
      header.first != x_seq + 1 || (!x_identity.empty() && header.identity != x_identity)) {
    return stop("the segment does not follow the one before it", false, true);
  }
  x_identity = header.identity;
  x_sum = header.sum;
  x_position = size + 1;
  return true;
}

bool Scanner::read_line(std::string_view line) {
  RecordView record;
  if (const char* reason = decode_record(line, x_sum, &record)) {
    if (reason != kUnknownRecordType) return stop(reason);
    const auto header = reprise::read_header(x_run, x_chunk.segment);
    throw too_new_error(x_chunk.segment, header.value_or(SegmentHeader{}), kUnknownRecordType);
  }
  if (record.seq != x_seq + 1) return stop("the sequence number is not the next", false, true);
  if (!record.more && record.count != x_pending.size() + 1) {
    return stop("the commit has another number of records than it says", false, true);
  }
  record.place = {x_chunk.segment, x_chunk.offset + x_position, static_cast<uint32_t>(line.size())};
  x_seq = record.seq;
  x_sum = record.sum;
  x_position += line.size() + 1;
  if (record.more) {
    x_pending.push_back(record);
    return true;
  }
  return commit(record);
}

bool Scanner::commit(const RecordView& last) {
  const uint64_t seq_before = x_result.head.seq;
  x_result.head = {last.seq, x_chunk.segment, x_chunk.offset + x_position, last.sum, last.at_ms};
  x_result.file = x_file;
  compare_with_witness(seq_before);

  const uint64_t visited_to = x_request.from != nullptr ? x_request.from->seq : 0;
  if (seq_before < visited_to && last.seq >= visited_to &&
      !same_place(x_result.head, *x_request.from)) {
    x_stale = true;
    return false;
  }
  if (last.seq > visited_to) {
    for (const RecordView& record : x_pending) x_visit(record);
    x_visit(last);
  }
  x_pending.clear();
  return true;
}

/// The witness names the last record of a commit; when reading passes it, it must be that very one.
void Scanner::compare_with_witness(uint64_t seq_before) {
  if (!x_request.witness) return;
  const Head& witness = x_request.witness->head;
  const Head& head = x_result.head;
  const bool passed =
      head.seq >= witness.seq && (seq_before < witness.seq || head.seq == witness.seq);
  if (passed && !same_place(head, witness)) x_result.contradicted = witness;
}

/// All lines were whole; so this is the end, unless something tells of more.
void Scanner::find_missing_end(uint32_t next) {
  const bool ahead = x_request.witness && x_request.witness->head.seq > x_result.head.seq;
  bool hole = false;
  if (x_request.look_for_holes || !x_request.witness) {
    for (const uint32_t segment : list_segments(x_run)) hole = hole || segment > next;
  }
  if (hole) {
    stop("a segment is missing", true);
  } else if (ahead || x_result.head.seq == 0) {
    stop("the journal ends here", true);
  }
}

}  // namespace

std::optional<ScanResult> scan_journal(Dir& run, const ScanRequest& request,
                                       const RecordVisitor& visit) {
  return Scanner(run, request, visit).scan();
}

}  // namespace reprise
