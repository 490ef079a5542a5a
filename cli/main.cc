#include <unistd.h>

#include <string>
#include <vector>

#include "cli/out_of_memory.h"
#include "cli/program.h"
#include "cli/streams.h"

// _exit: the script engine cannot be torn down, and everything that must last is already written.
int main(int argc, char** argv) {
  reprise::secure_streams();
  reprise::say_so_when_terminated();
  const reprise::Exit exit = reprise::run_program({argv + (argc > 0 ? 1 : 0), argv + argc});
  ::_exit(static_cast<int>(exit));
}
