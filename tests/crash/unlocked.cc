// LD_PRELOAD: every lock is free. A program without locks, for the benches that must notice.
#include <sys/file.h>

extern "C" int flock(int, int) noexcept { return 0; }
