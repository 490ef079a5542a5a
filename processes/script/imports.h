// The imports of a source text, found without running it.
#pragma once

#include <js/TypeDecls.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace reprise::script {

struct Import {
  std::string specifier;
  std::string message;  ///< why it is refused, and what to do instead
  int32_t kind;         ///< REPRISE_IMPORT_*
  uint32_t line;
  uint32_t column;
  bool dynamic;
};

/// `path` is for error messages, `format` is REPRISE_MODULE_*. False with a pending SyntaxError; a
/// realm must be entered, nothing is left in it.
bool find_imports(JSContext* cx, const std::string& path, std::string_view source, int32_t format,
                  std::vector<Import>& out);

}  // namespace reprise::script
