#include "cli/event_cursor.h"

#include <charconv>

#include "cli/text.h"
#include "journal/error.h"

namespace reprise {

std::string make_cursor(const std::string& epoch, int64_t place) {
  return epoch + "." + std::to_string(place);
}

int64_t read_cursor(const std::string& cursor, const std::string& epoch, const std::string& what) {
  const auto dot = cursor.find('.');
  int64_t place = -1;
  const char* end = cursor.data() + cursor.size();
  if (dot != std::string::npos) std::from_chars(cursor.data() + dot + 1, end, place);
  if (place < 0) {
    throw Error(Exit::kUsage, "INVALID_ARGUMENT",
                what + ": \"" + shown(cursor, 80) + "\" is no cursor",
                "use the \"next\" or \"cursor\" of a list before");
  }
  if (cursor.substr(0, dot) == epoch) return place;
  const std::string first = what == "--cursor-file" ? "remove that file, and " : "";
  throw Error(Exit::kConflict, "CURSOR_EXPIRED",
              what + ": the index was made anew since, and the order of its events may differ",
              first +
                  "begin again at a time instead of the cursor: --since TIME of the last event "
                  "that you saw; runId and seq tell which ones you know");
}

}  // namespace reprise
