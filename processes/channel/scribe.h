// The pen of a channel's decisions.
#pragma once

#include "processes/channel/state.h"
#include "processes/kit/pen.h"

namespace reprise::channel {

using kit::Request;

class Scribe : public kit::Pen<Channel> {
 public:
  using Pen::Pen;
};

}  // namespace reprise::channel
