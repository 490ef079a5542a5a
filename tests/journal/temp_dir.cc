#include "tests/journal/temp_dir.h"

#include <stdlib.h>

#include <filesystem>

#include "journal/error.h"

namespace reprise {

TempDir::TempDir() : x_path(std::filesystem::temp_directory_path() / "reprise-test-XXXXXX") {
  if (mkdtemp(x_path.data()) == nullptr) throw system_error("create", x_path, errno);
}

TempDir::~TempDir() {
  std::error_code ignored;
  std::filesystem::remove_all(x_path, ignored);
}

}  // namespace reprise
