// LD_PRELOAD: memory runs out. $STARVED_FILE holds two numbers, eight bytes each: which allocation
// fails, and how many there were, which is counted up here. Negative: from that one on all of them
// fail; zero: none. A file, so that the count outlives any end of the process.
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdlib>

// NOLINTBEGIN(bugprone-reserved-identifier): the C library gives the names.
extern "C" {
void* __libc_malloc(size_t size) noexcept;
void* __libc_calloc(size_t count, size_t size) noexcept;
void* __libc_realloc(void* old, size_t size) noexcept;
void* __libc_memalign(size_t alignment, size_t size) noexcept;
}
// NOLINTEND(bugprone-reserved-identifier)

namespace {

struct Plan {
  long nth;
  std::atomic<long> count;
};

Plan* plan = nullptr;  // a process has one allocator

__attribute__((constructor)) void read_plan() {
  const char* path = std::getenv("STARVED_FILE");
  const int file = path == nullptr ? -1 : ::open(path, O_RDWR | O_CLOEXEC);
  if (file < 0) return;
  void* shared = ::mmap(nullptr, sizeof(Plan), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  ::close(file);
  if (shared != MAP_FAILED) plan = static_cast<Plan*>(shared);
}

bool fails() {
  if (plan == nullptr) return false;
  const long count = plan->count.fetch_add(1) + 1;
  return plan->nth > 0 ? count == plan->nth : plan->nth < 0 && count >= -plan->nth;
}

void* refused() {
  errno = ENOMEM;
  return nullptr;
}

}  // namespace

extern "C" {

void* malloc(size_t size) noexcept { return fails() ? refused() : __libc_malloc(size); }

void* calloc(size_t count, size_t size) noexcept {
  return fails() ? refused() : __libc_calloc(count, size);
}

void* realloc(void* old, size_t size) noexcept {
  return fails() ? refused() : __libc_realloc(old, size);
}

void* memalign(size_t alignment, size_t size) noexcept {
  return fails() ? refused() : __libc_memalign(alignment, size);
}

void* aligned_alloc(size_t alignment, size_t size) noexcept { return memalign(alignment, size); }

int posix_memalign(void** made, size_t alignment, size_t size) noexcept {
  *made = memalign(alignment, size);
  return *made == nullptr ? ENOMEM : 0;
}
}
