// What the runs that the program itself keeps in a home, its hooks and its heartbeat want of a
// person: none of it is a question with an effect of its own, which the index finds.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/context.h"
#include "engine/index/run_index.h"
#include "engine/workspace.h"

namespace reprise {

struct Attention {
  std::string run;  ///< name of the run that it is about; empty: of none
  std::string what;
  std::string command;              ///< settles it, or says more: "heartbeat:resume"
  std::optional<int64_t> since_ms;  ///< nullopt: nobody knows
};

/// Of a home that exists. What cannot be read is left out: a damaged run is told of elsewhere.
std::vector<Attention> needs_attention(Workspace& workspace, const Context& context,
                                       RunIndex& index);

}  // namespace reprise
