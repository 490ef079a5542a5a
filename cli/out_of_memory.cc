#include "cli/out_of_memory.h"

#include <cxxabi.h>
#include <unistd.h>

#include <cstdlib>
#include <exception>
#include <new>
#include <string_view>
#include <typeinfo>

#include "cli/streams.h"

namespace reprise {
namespace {

constexpr std::string_view kText =
    "reprise: there is not enough memory\n"
    "  what the command recorded stays recorded; it is safe to repeat it\n";
constexpr std::string_view kDocument =
    R"({"schemaVersion":"reprise.cli.1","error":{"code":"OUT_OF_MEMORY",)"
    R"("message":"there is not enough memory",)"
    R"("hint":"what the command recorded stays recorded; it is safe to repeat it"}})"
    "\n";

[[noreturn]] void end() {
  const std::type_info* thrown = abi::__cxa_current_exception_type();
  if (thrown != nullptr && *thrown == typeid(std::bad_alloc)) {
    ::_exit(static_cast<int>(say_out_of_memory(false)));
  }
  std::abort();
}

}  // namespace

Exit say_out_of_memory(bool as_document) {
  if (as_document) {
    write_out(kDocument);
  } else {
    write_err(kText);
  }
  return Exit::kSystem;
}

void say_so_when_terminated() { std::set_terminate(end); }

}  // namespace reprise
