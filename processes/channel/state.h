// The state of a channel: one plain struct for each noun, each folding the events that it knows.
// Nothing else changes it (but for `effects`, which follows requests and results).
#pragma once

#include "processes/channel/artifact.h"
#include "processes/channel/branch.h"
#include "processes/channel/compactor.h"
#include "processes/channel/context.h"
#include "processes/channel/effects.h"
#include "processes/channel/event.h"
#include "processes/channel/identity.h"
#include "processes/channel/parking.h"
#include "processes/channel/permissions.h"
#include "processes/channel/queue.h"
#include "processes/channel/reply.h"
#include "processes/channel/rows.h"
#include "processes/channel/session.h"
#include "processes/channel/settings.h"
#include "processes/channel/transcript.h"
#include "processes/channel/usage.h"
#include "processes/channel/worker.h"

namespace reprise::channel {

struct Channel {
  Identity identity;
  Settings settings;
  Permissions permissions;
  Transcript transcript;
  Queue queue;
  Context context;
  Session session;
  Reply reply;
  Parking parking;
  Workers workers;
  Branches branches;
  Artifacts artifacts;
  Compactor compactor;
  Usage usage;
  Effects effects;
  bool keeps_all =
      false;  ///< nothing that ended is forgotten (Decider::keep_all); not in snapshots

  void evolve(const Event& event);

  /// The nouns, and apart from them the rows that they hold.
  Json to_json(RowsWriter& rows) const;
  /// False when the snapshot is of another version.
  bool restore(const Json& json, const RowsReader& rows);
};

}  // namespace reprise::channel
