#include "journal/blobs.h"

#include "journal/error.h"
#include "journal/hash.h"
#include "journal/value.h"

namespace reprise {

namespace {

constexpr size_t kDigestSize = 32;
constexpr int kMaxCollisions = 16;

Error blob_error(std::string code, std::string_view name, std::string_view what) {
  return Error(Exit::kCorrupt, std::move(code), blob_path(name) + ' ' + std::string(what),
               "restore the file from a copy of the run", "{\"blob\":" + quote(name) + '}');
}

Error damaged(std::string_view name) {
  return blob_error("BLOB_DAMAGED", name, "is damaged: its bytes do not match its name");
}

/// Calls visit(piece) for the bytes of the file in order, until it returns false.
template <typename Visit>
void pieces(File& file, Visit visit) {
  std::string piece(kPieceBytes, '\0');
  uint64_t offset = 0;
  while (const size_t got = file.read_at(offset, piece.data(), piece.size())) {
    if (!visit(std::string_view(piece).substr(0, got))) return;
    offset += got;
  }
}

std::string digest_of(File& file) {
  Hash128 hash;
  pieces(file, [&hash](std::string_view piece) {
    hash.add(piece);
    return true;
  });
  return hash.hex();
}

bool holds(File& file, std::string_view bytes) {
  const std::string_view all = bytes;
  pieces(file, [&bytes](std::string_view piece) {
    const bool same = bytes.starts_with(piece);
    if (same) bytes.remove_prefix(piece.size());
    return same;
  });
  return bytes.empty() && file.stat().size == all.size();
}

}  // namespace

std::string blob_path(std::string_view name) { return "blobs/" + std::string(name); }

std::string digest128(std::string_view bytes) { return hash128_hex(bytes); }

std::string put_blob(Dir& run, std::string_view bytes) {
  if (run.make_dir("blobs")) run.sync_dir("");  // a run is created with it: somebody removed it
  const std::string digest = digest128(bytes);
  for (int collision = 0; collision < kMaxCollisions; collision++) {
    std::string name = collision == 0 ? digest : digest + '-' + std::to_string(collision);
    const std::unique_ptr<File> there = run.open(blob_path(name), Access::kRead);
    // A file that does not match its name is damaged: the right bytes heal it.
    if (there && !holds(*there, bytes) && digest_of(*there) == digest) continue;
    replace_file(run, blob_path(name), bytes, true);
    return name;
  }
  throw Error(Exit::kBug, "BLOB_COLLISION", "too many different blobs have the digest " + digest);
}

std::string get_blob(Dir& run, std::string_view name) {
  std::optional<std::string> bytes = read_file(run, blob_path(name));
  if (!bytes) throw blob_error("BLOB_MISSING", name, "is missing");
  if (digest128(*bytes) != name.substr(0, kDigestSize)) throw damaged(name);
  return *std::move(bytes);
}

void check_blob(Dir& run, std::string_view name) {
  const std::unique_ptr<File> file = run.open(blob_path(name), Access::kRead);
  if (!file) throw blob_error("BLOB_MISSING", name, "is missing");
  if (digest_of(*file) != name.substr(0, kDigestSize)) throw damaged(name);
}

}  // namespace reprise
