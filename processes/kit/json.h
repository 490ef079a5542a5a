// JSON in built-in processes: members are sorted, so equal values are equal texts.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>

namespace reprise::kit {

using Json = nlohmann::json;

/// The member when it is there and of that type, else what is given.
std::string text_of(const Json& object, const char* name, const std::string& otherwise = {});
/// Whole numbers only: 1.5 is none.
int64_t number_of(const Json& object, const char* name, int64_t otherwise = 0);
double real_of(const Json& object, const char* name, double otherwise = 0);
bool flag_of(const Json& object, const char* name, bool otherwise = false);
/// The member, or null.
const Json& member_of(const Json& object, const char* name);

}  // namespace reprise::kit
