#include "processes/channel/permissions.h"

namespace reprise::channel {

Author parse_author(const Json& json) {
  Author author{.id = text_of(json, "id"), .name = text_of(json, "name"), .roles = {}};
  for (const auto& role : member_of(json, "roles")) {
    if (role.is_string()) author.roles.push_back(role);
  }
  return author;
}

void Permissions::evolve(const Event&) {}

Json Permissions::to_json() const {
  const auto list = [](const List& it) { return Json{{"users", it.users}, {"roles", it.roles}}; };
  return {{"owners", list(owners)}, {"members", list(members)}};
}

void Permissions::restore(const Json& json) {
  const auto list = [&](const char* name) {
    const auto& it = member_of(json, name);
    return List{it.value("users", std::set<std::string>()),
                it.value("roles", std::set<std::string>())};
  };
  owners = list("owners");
  members = list("members");
}

Role role_of(const Permissions&, const Settings&, const Author&) { return Role::kOwner; }

}  // namespace reprise::channel
