#include "journal/error.h"

#include <cstring>

#include "journal/value.h"

namespace reprise {

Error system_error(std::string_view operation, std::string_view path, int errno_value) {
  const char* text = strerrordesc_np(errno_value);
  const char* name = strerrorname_np(errno_value);
  std::string message = "cannot ";
  message += operation;
  message += ' ';
  message += path;
  message += ": ";
  message += text != nullptr ? text : "unknown error";
  std::string details = R"({"operation":)";
  append_quoted(details, operation);
  details += R"(,"path":)";
  append_quoted(details, path);
  details += R"(,"errno":)";
  append_quoted(details, name != nullptr ? name : std::to_string(errno_value));
  details += '}';
  return Error(Exit::kSystem, "SYSTEM_ERROR", std::move(message),
               "nothing was acknowledged; repeating the command is safe once the cause is gone",
               std::move(details));
}

}  // namespace reprise
