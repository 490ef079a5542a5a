#include "processes/channel/state.h"

namespace reprise::channel {

namespace {

constexpr int kSnapshotVersion = 2;

}  // namespace

void Channel::evolve(const Event& event) {
  identity.evolve(event);
  settings.evolve(event);
  permissions.evolve(event);
  transcript.evolve(event, settings, queue, keeps_all);
  reply.evolve(event, queue, transcript);
  queue.evolve(event, transcript, keeps_all);
  context.evolve(event, session, transcript, settings);
  session.evolve(event);
  parking.evolve(event);
  workers.evolve(event, keeps_all);
  branches.evolve(event, keeps_all);
  artifacts.evolve(event, keeps_all);
  compactor.evolve(event, settings);
  usage.evolve(event);
  if (const auto withdrawn = number_of(event.payload, "withdrawn"); withdrawn > 0) {
    effects.take(static_cast<uint64_t>(withdrawn));
  }
}

Json Channel::to_json(RowsWriter& rows) const {
  return {{"version", kSnapshotVersion},
          {"identity", identity.to_json()},
          {"settings", settings.to_json()},
          {"permissions", permissions.to_json()},
          {"transcript", transcript.to_json(rows)},
          {"queue", queue.to_json(rows)},
          {"context", context.to_json()},
          {"session", session.to_json()},
          {"reply", reply.to_json(rows)},
          {"parking", parking.to_json()},
          {"workers", workers.to_json()},
          {"branches", branches.to_json()},
          {"compactor", compactor.to_json()},
          {"usage", usage.to_json()},
          {"effects", effects.to_json()},
          {"artifacts", artifacts.to_json()}};
}

bool Channel::restore(const Json& json, const RowsReader& rows) {
  if (number_of(json, "version") != kSnapshotVersion) return false;
  identity.restore(json.at("identity"));
  settings.restore(json.at("settings"));
  permissions.restore(json.at("permissions"));
  transcript.restore(json.at("transcript"), rows);
  queue.restore(json.at("queue"), rows);
  context.restore(json.at("context"));
  session.restore(json.at("session"));
  reply.restore(json.at("reply"), rows);
  parking.restore(json.at("parking"));
  workers.restore(json.at("workers"));
  branches.restore(json.at("branches"));
  artifacts.restore(json.at("artifacts"));
  compactor.restore(json.at("compactor"));
  usage.restore(json.at("usage"));
  effects.restore(json.at("effects"));
  return true;
}

}  // namespace reprise::channel
