#include "processes/subconscious/work_key.h"

#include <charconv>

#include "processes/subconscious/matrix.h"

namespace reprise::subconscious {

namespace {

template <typename Number>
Number number_in(std::string_view text, Number otherwise) {
  std::from_chars(text.data(), text.data() + text.size(), otherwise);
  return otherwise;
}

}  // namespace

WorkKey parse_work_key(std::string_view id) {
  std::vector<std::string_view> parts;
  for (auto rest = id;;) {
    const auto slash = rest.find('/');
    parts.push_back(rest.substr(0, slash));
    if (slash == std::string_view::npos) break;
    rest.remove_prefix(slash + 1);
  }
  WorkKey key;
  key.subject = parts.front();
  key.attempt = number_in(parts.back(), 1);
  if (parts.size() == 3) {
    key.task_id = parts[1];
    key.run = number_in<uint64_t>(parts[1], 0);
  }
  return key;
}

bool is_full(std::string_view noun) {
  const auto* work = find_work(noun);
  return noun == kApproved || (work != nullptr && work->full);
}

}  // namespace reprise::subconscious
