// Who may speak to the agent: owners and members, users and roles. Decided when a message is
// received, and recorded with it: what is changed later does not change messages that wait.
//
//   channel.created  -> the lists that a thread inherits      permission.changed -> the new lists
#pragma once

#include <set>
#include <span>
#include <string>
#include <vector>

#include "processes/channel/event.h"
#include "processes/channel/settings.h"
#include "processes/channel/signals.h"

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

    bool holds(const Author& author) const;
    bool is_empty() const { return users.empty() && roles.empty(); }
  };
  List owners;
  List members;

  bool is_empty() const { return owners.is_empty() && members.is_empty(); }

  void evolve(const Event& event);
  Json to_json() const;
  void restore(const Json& json);
};

enum class Role : uint8_t { kNone, kMember, kOwner };
/// "", "member", "owner".
std::string name_of(Role role);

/// The higher role of the two sources wins; when both are empty everybody is owner.
Role role_of(const Permissions& permissions, const Settings& settings, const Author& author);

/// As role_of, but that who speaks on this machine (platform "local") is an owner, and the
/// channel's own agent at least a member: it may speak, and not appoint anybody.
Role role_of_speaker(const Permissions& permissions, const Settings& settings, const Author& author,
                     const std::string& platform);

/// Neither the home nor the channel names anybody.
bool is_open_to_all(const Permissions& permissions, const Settings& settings);

/// What is wrong with lists that somebody gives, {"owners":{"users","roles"},"members":{...}}; or
/// empty.
std::string check_permissions(const Json& json);

/// channel.allow, channel.deny.
std::span<const SignalSpec> permission_signals();

}  // namespace reprise::channel
