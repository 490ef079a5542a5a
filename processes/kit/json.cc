#include "processes/kit/json.h"

namespace reprise::kit {

const Json& member_of(const Json& object, const char* name) {
  static const Json kNull;
  if (!object.is_object()) return kNull;
  const auto found = object.find(name);
  return found == object.end() ? kNull : *found;
}

std::string text_of(const Json& object, const char* name, const std::string& otherwise) {
  const auto& member = member_of(object, name);
  return member.is_string() ? member.get<std::string>() : otherwise;
}

int64_t number_of(const Json& object, const char* name, int64_t otherwise) {
  const auto& member = member_of(object, name);
  return member.is_number_integer() ? member.get<int64_t>() : otherwise;
}

double real_of(const Json& object, const char* name, double otherwise) {
  const auto& member = member_of(object, name);
  return member.is_number() ? member.get<double>() : otherwise;
}

bool flag_of(const Json& object, const char* name, bool otherwise) {
  const auto& member = member_of(object, name);
  return member.is_boolean() ? member.get<bool>() : otherwise;
}

}  // namespace reprise::kit
