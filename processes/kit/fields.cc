#include "processes/kit/fields.h"

#include <algorithm>
#include <utility>

namespace reprise::kit {

Fields::Fields(const Json& value, std::string code) : x_value(value), x_code(std::move(code)) {
  refuse_if(!value.is_object(), "the value must be an object");
}

const Json* Fields::member(const char* name) const {
  const auto& member = member_of(x_value, name);
  return member.is_null() ? nullptr : &member;
}

Fields& Fields::refuse_if(bool wrong, const std::string& message, const std::string& hint) {
  if (wrong && !x_refusal) {
    x_refusal = Refusal{Refusal::Kind::kInvalid, x_code, message, hint};
  }
  return *this;
}

Fields& Fields::needs_text(const char* name, size_t most_bytes) {
  const auto* it = member(name);
  refuse_if(it == nullptr || *it == "", std::string(name) + " is missing");
  return text(name, most_bytes);
}

Fields& Fields::text(const char* name, size_t most_bytes) {
  const auto* it = member(name);
  if (it == nullptr) return *this;
  if (!it->is_string()) return refuse_if(true, std::string(name) + " must be a text");
  const auto size = it->get_ref<const std::string&>().size();
  return refuse_if(size > most_bytes, std::string(name) + " has " + std::to_string(size) +
                                          " bytes; at most " + std::to_string(most_bytes) +
                                          " are taken");
}

Fields& Fields::texts(const char* name, size_t most) {
  const auto* it = member(name);
  if (it == nullptr) return *this;
  const auto fits = [](const Json& entry) {
    return entry.is_string() && entry != "" &&
           entry.get_ref<const std::string&>().size() <= kMostNameBytes;
  };
  const bool good = it->is_array() && it->size() <= most && std::ranges::all_of(*it, fits);
  return refuse_if(!good, std::string(name) + " must be a list of at most " + std::to_string(most) +
                              " texts, each of 1 to 256 bytes");
}

Fields& Fields::whole(const char* name, int64_t least, int64_t most) {
  const auto* it = member(name);
  if (it == nullptr) return *this;
  const bool too_big = it->is_number_unsigned() && it->get<uint64_t>() > INT64_MAX;
  const bool good = it->is_number_integer() && !too_big && it->get<int64_t>() >= least &&
                    it->get<int64_t>() <= most;
  return refuse_if(!good, std::string(name) + " must be a whole number from " +
                              std::to_string(least) + " to " + std::to_string(most));
}

Fields& Fields::flag(const char* name) {
  const auto* it = member(name);
  return refuse_if(it != nullptr && !it->is_boolean(),
                   std::string(name) + " must be true or false");
}

Fields& Fields::object(const char* name) {
  const auto* it = member(name);
  return refuse_if(it != nullptr && !it->is_object(), std::string(name) + " must be an object");
}

}  // namespace reprise::kit
