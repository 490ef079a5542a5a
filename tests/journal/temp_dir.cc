#include "tests/journal/temp_dir.h"

#include <stdlib.h>
#include <unistd.h>

#include <filesystem>

#include "journal/error.h"

namespace reprise {

namespace {

constexpr const char* kMemory = "/dev/shm";

std::filesystem::path root() {
  const bool in_memory = getenv("TMPDIR") == nullptr && access(kMemory, W_OK) == 0;
  return in_memory ? kMemory : std::filesystem::temp_directory_path();
}

}  // namespace

TempDir::TempDir() : x_path(root() / "reprise-test-XXXXXX") {
  if (mkdtemp(x_path.data()) == nullptr) throw system_error("create", x_path, errno);
}

TempDir::~TempDir() {
  std::error_code ignored;
  std::filesystem::remove_all(x_path, ignored);
}

}  // namespace reprise
