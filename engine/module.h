// Opening a module: a shared library that only those commands load which need it, because every
// command pays for what the binary links (docs/decisions). Its table is plain C:
// process/module_table.h.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "engine/process/module_table.h"

namespace reprise {

struct ModuleQuery {
  std::string_view file;    ///< "libreprise_sqlite.so"
  const char* symbol = "";  ///< its only exported function, a reprise_module_fn
  uint32_t abi = 0;
  std::string_view what;   ///< "SQLite", for the message
  std::string_view error;  ///< the code of the Error
  std::string path;        ///< of the file itself; empty: beside the binary, or in ../lib/reprise
};

/// The first member of the module's table; the table lives until the process ends. Opening one
/// again is cheap and gives the same table. Error (exit 70) when it is absent or of another build.
const reprise_module_header* open_module(const ModuleQuery& query);

reprise_bytes as_bytes(std::string_view text);
std::string_view as_view(reprise_bytes bytes);

}  // namespace reprise
