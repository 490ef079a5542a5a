// Channels that come into being: by channel:create, or with their first message.
#pragma once

#include <string>
#include <vector>

#include "cli/channel/channels.h"
#include "engine/create.h"
#include "engine/thread.h"

namespace reprise {

/// For the tables.
inline constexpr Flag kPlatformFlag = {"--platform", "NAME", "where it lives; default local"};
inline constexpr Flag kGuildFlag = {"--guild", "ID", "the server or team there that it belongs to"};
inline constexpr Flag kDirFlag = {"--dir", "DIR", "the folder that its agent works in"};
inline constexpr Flag kParentFlag = {"--parent", "CHANNEL",
                                     "the channel whose thread it is: it inherits directory, "
                                     "platform, guild and permissions, and forks the session"};
inline constexpr Flag kSettingFlag = {
    "--setting", "KEY=VALUE", "a setting of the channel, as routing.policy=direct; null unsets it",
    false, true};
inline constexpr Flag kSettingsFlag = {"--settings", "FILE|-",
                                       "its settings as one JSON document; --setting adds to it"};

/// --settings and --setting as a merge patch; an empty object without them. Errors
/// INVALID_ARGUMENT, INVALID_JSON, those of read_user_file.
Document read_settings(const Arguments& arguments, const Session& session);
/// "channels" of the home's configuration, as far as it says something: what goes along to a
/// channel as "configured". Error CONFIG_INVALID, exit 2.
Document home_settings(const Arguments& arguments, const HomePlace& home);
/// An absolute path; the folder must exist. Error NO_SUCH_FOLDER, exit 3.
std::string folder_flag(const std::string& dir, const Session& session);

/// What a channel is made of: --name, --platform, --guild, --dir, --parent, --owner, ... of the
/// command, and what it inherits. Errors: CHANNEL_NOT_FOUND (exit 3), CHANNEL_DELETED,
/// INVALID_PARENT (exit 4) for a parent that cannot be one.
Document channel_inputs(const Arguments& arguments, const Session& session, const std::string& id);

/// Warnings: what the flags say that count when a channel is made, and that this one, which is
/// there, is not like.
std::vector<std::string> ignored_making(const Arguments& arguments, const Session& session,
                                        const RunHandle& run);

/// The request for a run of the process channel with these inputs, from --simulated, --label,
/// --dry-run, --if-absent.
CreateRequest channel_request(const Arguments& arguments, const std::string& id,
                              const Document& inputs);

}  // namespace reprise
