// What must hold of a run's journal, whatever it holds.
#pragma once

#include <map>
#include <string>

#include "journal/files.h"
#include "tests/fuzz/target.h"

namespace reprise::fuzz {

/// Bytes by path.
using FileTree = std::map<std::string, std::string>;
FileTree files_of(Dir& dir, const std::string& path = {});
void put_files(Dir& dir, const FileTree& files);

/// Readers, the writer, the check and the repair agree on what is whole; refusals are exit 5 and
/// change nothing; repair keeps every byte, is a no-op when repeated, and leaves a journal that
/// goes on. The broken subject is a repair that keeps nothing.
void check_journal(const FileTree& files, Subject subject);

}  // namespace reprise::fuzz
