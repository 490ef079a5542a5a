// A directory of its own for a test, gone when the test ends: where TMPDIR says, else in memory
// where there is such a file system: a test that syncs gets nothing of a disk but its pace.
#pragma once

#include <memory>
#include <string>

#include "journal/real_files.h"

namespace reprise {

class TempDir {
 public:
  TempDir();
  ~TempDir();
  TempDir(const TempDir&) = delete;
  TempDir& operator=(const TempDir&) = delete;

  const std::string& path() const { return x_path; }
  std::unique_ptr<Dir> open(Lookup lookup = Lookup::kKernel) const {
    return open_real_dir(x_path, false, lookup);
  }

 private:
  std::string x_path;
};

}  // namespace reprise
