#include "cli/value_flags.h"

#include "cli/user_files.h"
#include "journal/error.h"

namespace reprise {

std::optional<Value> read_value_flags(const Arguments& arguments,
                                      const std::vector<std::string>& folders) {
  const auto text = arguments.value("--value-inline");
  const auto file = arguments.value("--value");
  if (text && file) {
    throw Error(Exit::kUsage, "INVALID_ARGUMENT", "--value and --value-inline are two values",
                "give one of them");
  }
  if (text) return parse_value(*text, "--value-inline");
  if (!file) return std::nullopt;
  return parse_large_value(read_user_file(*file, folders, "--value", kLargestValueFile),
                           "--value " + *file);
}

}  // namespace reprise
