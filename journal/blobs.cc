#include "journal/blobs.h"

#include "journal/error.h"
#include "journal/hash.h"
#include "journal/value.h"

namespace reprise {

namespace {

constexpr size_t kDigestSize = 32;
constexpr int kMaxCollisions = 16;

std::string blob_path(std::string_view name) { return "blobs/" + std::string(name); }

Error blob_error(std::string code, std::string_view name, std::string_view what) {
  return Error(Exit::kCorrupt, std::move(code), blob_path(name) + ' ' + std::string(what),
               "restore the file from a copy of the run", "{\"blob\":" + quote(name) + '}');
}

}  // namespace

std::string digest128(std::string_view bytes) { return hash128_hex(bytes); }

std::string put_blob(Dir& run, std::string_view bytes) {
  if (run.make_dir("blobs")) run.sync_dir("");  // a run is created with it: somebody removed it
  const std::string digest = digest128(bytes);
  for (int collision = 0; collision < kMaxCollisions; collision++) {
    std::string name = collision == 0 ? digest : digest + '-' + std::to_string(collision);
    const std::optional<std::string> there = read_file(run, blob_path(name));
    // A file that does not match its name is damaged: the right bytes heal it.
    if (there && *there != bytes && digest128(*there) == digest) continue;
    replace_file(run, blob_path(name), bytes, true);
    return name;
  }
  throw Error(Exit::kBug, "BLOB_COLLISION", "too many different blobs have the digest " + digest);
}

std::string get_blob(Dir& run, std::string_view name) {
  std::optional<std::string> bytes = read_file(run, blob_path(name));
  if (!bytes) throw blob_error("BLOB_MISSING", name, "is missing");
  if (digest128(*bytes) != name.substr(0, kDigestSize)) {
    throw blob_error("BLOB_DAMAGED", name, "is damaged: its bytes do not match its name");
  }
  return *std::move(bytes);
}

}  // namespace reprise
