// Who may speak to the agent: owners and members, users and roles. Decided when a message is
// received, and recorded with it.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "processes/channel/event.h"
#include "processes/channel/settings.h"

namespace reprise::channel {

struct Author {
  std::string id;
  std::string name;
  std::vector<std::string> roles;
};
Author parse_author(const Json& json);

struct Permissions {
  struct List {
    std::set<std::string> users;
    std::set<std::string> roles;
  };
  List owners;
  List members;

  void evolve(const Event& event);
  Json to_json() const;
  void restore(const Json& json);
};

enum class Role : uint8_t { kNone, kMember, kOwner };

/// The higher role of the two sources wins; when both are empty everybody is owner.
Role role_of(const Permissions& permissions, const Settings& settings, const Author& author);

}  // namespace reprise::channel
