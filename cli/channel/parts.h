// What a channel is made of besides messages: its workers, branches and artifacts, listed and
// shown.
#pragma once

#include <string>

#include "cli/channel/channels.h"

namespace reprise {

/// "workers" of the channel as a document {the run, "workers": [...]}: those that live and the last
/// that ended; with --all every one that there ever was.
Reply list_parts(const Arguments& arguments, const std::string& noun);

struct PartName {
  std::string noun;        ///< "worker": what is asked, and the member of the document
  std::string positional;  ///< "WORKER": where its id stands
};
/// One of them. Error WORKER_NOT_FOUND and its like, exit 3.
Reply show_part(const Arguments& arguments, const PartName& name, Past past);

/// Its members, one a line, the one called `id` first.
std::string part_text(const Document& part, const Style& style, const char* id);

}  // namespace reprise
