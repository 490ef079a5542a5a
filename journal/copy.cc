// A journal only grows, so the bytes up to a head that was read stay as they are: they can be
// copied at leisure. The exception is a writer that cuts its own failed commit off, or a repair;
// the copy then ends elsewhere than the head, and is made anew.
#include "journal/copy.h"

#include <algorithm>
#include <string>

#include "journal/error.h"
#include "journal/segment.h"
#include "journal/witness.h"

namespace reprise {

namespace {

constexpr int kTries = 5;

void copy_segments(Dir& from, Dir& to, const Head& head) {
  for (const auto segment : list_segments(from)) {
    if (segment > head.segment) break;
    const auto path = segment_path(segment);
    const auto file = from.open(path, Access::kRead);
    if (!file) continue;  // the check of the copy finds what is missing
    copy_bytes(*file, to, path, segment == head.segment ? head.offset : UINT64_MAX);
  }
}

const RecordVisitor kNobody = [](const RecordView&) {};

}  // namespace

uint64_t copy_bytes(File& from, Dir& to, std::string_view path, uint64_t size) {
  const auto file = to.open(path, Access::kCreateNew);
  if (!file) throw Error(Exit::kConflict, "FILE_EXISTS", to.path() + "/" + std::string(path));
  std::string piece(kPieceBytes, '\0');
  uint64_t done = 0;
  while (done < size) {
    const auto wanted = static_cast<size_t>(std::min<uint64_t>(piece.size(), size - done));
    const auto got = from.read_at(done, piece.data(), wanted);
    if (got == 0) break;
    file->write_at(done, std::string_view(piece).substr(0, got));
    done += got;
  }
  return done;
}

Head copy_journal(Dir& from, Dir& to) {
  for (int i = 0; i < kTries; ++i) {
    const auto scan = read_journal(from, nullptr, Keep::kNothing, kNobody);
    to.make_dir("state");
    to.make_dir("journal");
    copy_segments(from, to, scan->head);
    try {
      const auto copy = Journal::open(to, nullptr, Keep::kNothing, kNobody);
      if (same_place(copy->head(), scan->head)) return scan->head;
    } catch (const Error& error) {
      if (error.exit() != Exit::kCorrupt) throw;
    }
    to.remove_tree("journal");
    to.remove_tree("state");
  }
  throw Error(Exit::kConflict, "RUN_CHANGED", "the journal of " + from.path() + " is being mended",
              "wait for that to end, and repeat the command");
}

}  // namespace reprise
