// The process files that words of a command line mean: files, and folders to walk.
#pragma once

#include <string>
#include <vector>

namespace reprise {

struct ProcessFile {
  std::string name;  ///< as the user would type it
  std::string path;  ///< absolute
  bool named = false;
};

/// In folders: every .js, .mjs and .cjs file below, in order of their names, without node_modules,
/// folders whose name begins with a dot, and links. A file that several words mean is there once.
/// Error FILE_NOT_FOUND, exit 3, for a word that names nothing; system errors.
std::vector<ProcessFile> find_process_files(const std::vector<std::string>& words,
                                            const std::string& working_dir);

}  // namespace reprise
