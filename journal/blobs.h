// Large values: files named by the XXH3-128 of their bytes in blobs/ of the run.
#pragma once

#include <string>
#include <string_view>

#include "journal/files.h"

namespace reprise {

/// Stores the bytes and returns their name; durable when it returns. Always two syncs: an equal
/// blob that is there already may be one whose sync failed. Two values with the same digest are
/// told apart by a suffix.
std::string put_blob(Dir& run, std::string_view bytes);

/// Verified by its digest. Error BLOB_DAMAGED or BLOB_MISSING, exit 5, naming the file.
std::string get_blob(Dir& run, std::string_view name);

/// The same without reading it into memory: for who only asks whether it is whole.
void check_blob(Dir& run, std::string_view name);

/// Where it is, below the run.
std::string blob_path(std::string_view name);

/// XXH3-128, 32 lower-case hex digits.
std::string digest128(std::string_view bytes);

}  // namespace reprise
