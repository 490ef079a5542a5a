// All of it may be said again without harm: what is so already is not made so a second time.
#include "processes/channel/control.h"

#include <array>
#include <set>

#include "processes/channel/check_message.h"
#include "processes/channel/fields.h"
#include "processes/channel/intake.h"
#include "processes/channel/reply.h"

namespace reprise::channel {

namespace {

constexpr const char* kInvalidValue = "INVALID_SIGNAL_VALUE";
constexpr size_t kMostReasonBytes = 4096;

std::optional<Refusal> check_by(const Channel&, const Json& value, int64_t) {
  return Fields(value, kInvalidValue)
      .text("by")
      .text("reason", kMostReasonBytes)
      .flag("hold")
      .refusal();
}

void hold(Scribe& scribe, const Json& value, uint64_t) {
  if (!scribe.state().identity.held) scribe.emit("channel.held", {{"by", text_of(value, "by")}});
}

void release(Scribe& scribe, const Json& value, uint64_t) {
  if (scribe.state().identity.held) {
    scribe.emit("channel.released", {{"by", text_of(value, "by")}});
  }
}

void stop(Scribe& scribe, const Json& value, uint64_t signal) {
  if (flag_of(value, "hold")) hold(scribe, value, signal);
  const auto msg_id = scribe.state().reply.msg_id;
  const auto run_id = scribe.state().reply.run_id;
  end_run(scribe, "stopped", text_of(value, "reason", "stopped"));
  if (run_id.empty()) return;
  write_row(scribe, "system", "Run stopped.", {{"replyTo", msg_id}, {"runId", run_id}});
}

/// A card is no run that was interrupted: it goes on waiting for its answer.
void recover(Scribe& scribe, const Json&, uint64_t) {
  if (scribe.state().reply.is_active()) end_run(scribe, "stale", "recovered");
}

void configure(Scribe& scribe, const Json& value, uint64_t) {
  Json changes = Json::object();
  for (const auto* name : {"settings", "name", "dir"}) {
    if (!member_of(value, name).is_null()) changes[name] = value.at(name);
  }
  scribe.emit("channel.configured", changes);
}

std::optional<Refusal> check_configure(const Channel&, const Json& value, int64_t) {
  const auto& settings = member_of(value, "settings");
  const auto dir = text_of(value, "dir");
  auto refusal = Fields(value, kInvalidValue)
                     .text("name")
                     .text("dir", kMostReasonBytes)
                     .refuse_if(!dir.empty() && !dir.starts_with('/'), "dir must be absolute")
                     .refuse_if(settings.is_null() && member_of(value, "name").is_null() &&
                                    member_of(value, "dir").is_null(),
                                "nothing is changed", "give settings, a name or a dir")
                     .refusal();
  if (refusal || settings.is_null()) return refusal;
  const auto wrong = Settings::check_own(settings);
  if (wrong.empty()) return std::nullopt;
  return Refusal{Refusal::Kind::kInvalid, "INVALID_SETTINGS", wrong, ""};
}

void remove_channel(Scribe& scribe, const Json& value, uint64_t) {
  end_run(scribe, "stopped", "the channel was deleted");
  cancel_workers(scribe, "the channel was deleted");
  Json msg_ids = Json::array();
  for (const auto& queued : scribe.state().queue.waiting) msg_ids.push_back(queued.message->msg_id);
  if (!msg_ids.empty()) {
    scribe.emit("messages.processed", {{"msgIds", std::move(msg_ids)}, {"cause", "deleted"}});
  }
  scribe.emit("channel.deleted", {{"by", text_of(value, "by")}});
  scribe.complete({{"deleted", true}});
}

/// A message that is to be moved or taken away must wait.
std::optional<Refusal> check_waits(const Channel& channel, const std::string& msg_id) {
  if (channel.queue.find(msg_id) != nullptr) return std::nullopt;
  const auto conflict = [](const char* code, const std::string& message, const std::string& hint) {
    return Refusal{Refusal::Kind::kConflict, code, message, hint};
  };
  if (channel.reply.is_active() && channel.reply.msg_id == msg_id) {
    return conflict("MESSAGE_RUNNING", "the agent works on message " + msg_id,
                    "reprise channel:stop " + channel.identity.id + " ends that");
  }
  const auto* fate = channel.queue.fate(msg_id);
  if (fate == nullptr) {
    return Refusal{Refusal::Kind::kNotFound, "MESSAGE_UNKNOWN",
                   "no message " + msg_id + " waits in this channel",
                   "reprise channel:show " + channel.identity.id + " shows those that do"};
  }
  if (fate->cause.empty()) {
    return conflict("MESSAGE_NOT_QUEUED",
                    "message " + msg_id +
                        " is only context: it waits for "
                        "nothing",
                    "");
  }
  return conflict("MESSAGE_PROCESSED",
                  "message " + msg_id + " is processed already (" + fate->cause + ")", "");
}

std::optional<Refusal> check_list(const Json& value) {
  const auto& ids = member_of(value, "msgIds");
  return Fields(value, kInvalidValue)
      .text("by")
      .texts("msgIds")
      .refuse_if(ids.empty(), "msgIds is missing", "name at least one message")
      .refusal();
}

std::optional<Refusal> check_cancel(const Channel& channel, const Json& value, int64_t) {
  if (auto refusal = check_list(value)) return refusal;
  for (const auto& id : value.at("msgIds")) {
    const auto* fate = channel.queue.fate(id.get<std::string>());
    if (fate != nullptr && fate->cause == "deleted") continue;
    if (auto refusal = check_waits(channel, id)) return refusal;
  }
  return std::nullopt;
}

void cancel(Scribe& scribe, const Json& value, uint64_t) {
  const auto by = text_of(value, "by");
  Json msg_ids = Json::array();
  for (const auto& id : value.at("msgIds")) {
    const auto* queued = scribe.state().queue.find(id);
    if (queued == nullptr) continue;
    const auto row = std::to_string(queued->message->row);
    scribe.emit_withdrawing("message.deleted", {{"msgIds", {id}}, {"by", by}},
                            scribe.state().effects.find("delay", row));
    msg_ids.push_back(id);
  }
  if (msg_ids.empty()) return;
  scribe.emit("messages.processed", {{"msgIds", std::move(msg_ids)}, {"cause", "deleted"}});
}

std::optional<Refusal> check_reorder(const Channel& channel, const Json& value, int64_t) {
  if (auto refusal = check_list(value)) return refusal;
  const auto ids = value.at("msgIds").get<std::vector<std::string>>();
  const std::set<std::string> different(ids.begin(), ids.end());
  if (different.size() != ids.size()) {
    return Refusal{Refusal::Kind::kInvalid, kInvalidValue, "msgIds names a message twice", ""};
  }
  for (const auto& id : ids) {
    if (auto refusal = check_waits(channel, id)) return refusal;
  }
  return std::nullopt;
}

void reorder(Scribe& scribe, const Json& value, uint64_t) {
  Json priorities = Json::array();
  for (auto left = value.at("msgIds").size(); left > 0; --left) priorities.push_back(left);
  scribe.emit("queue.reordered",
              {{"msgIds", value.at("msgIds")}, {"priorities", std::move(priorities)}});
}

std::optional<Refusal> check_delay(const Channel& channel, const Json& value, int64_t) {
  auto refusal = Fields(value, kInvalidValue)
                     .needs_text("msgId")
                     .whole("notBefore", 0, kLatestMs)
                     .refuse_if(member_of(value, "notBefore").is_null(), "notBefore is missing")
                     .refusal();
  return refusal ? refusal : check_waits(channel, text_of(value, "msgId"));
}

void delay(Scribe& scribe, const Json& value, uint64_t) {
  const auto msg_id = text_of(value, "msgId");
  const auto row = scribe.state().queue.find(msg_id)->message->row;
  const auto not_before = number_of(value, "notBefore");
  scribe.emit_withdrawing("message.delayed", {{"msgId", msg_id}, {"notBefore", not_before}},
                          scribe.state().effects.find("delay", std::to_string(row)));
  if (not_before > scribe.at_ms()) request_delay(scribe, row, msg_id, not_before);
}

}  // namespace

std::span<const SignalSpec> control_signals() {
  static constexpr std::array kSignals = {
      SignalSpec{"channel.stop", check_by, stop},
      SignalSpec{"channel.hold", check_by, hold},
      SignalSpec{"channel.release", check_by, release},
      SignalSpec{"channel.recover", check_by, recover},
      SignalSpec{"channel.delete", check_by, remove_channel},
      SignalSpec{"channel.configure", check_configure, configure},
      SignalSpec{"channel.cancel", check_cancel, cancel},
      SignalSpec{"channel.reorder", check_reorder, reorder},
      SignalSpec{"channel.delay", check_delay, delay},
  };
  return kSignals;
}

void end_run(Scribe& scribe, const std::string& cause, const std::string& reason) {
  const auto msg_id = scribe.state().reply.msg_id;
  if (!msg_id.empty()) mark_processed(scribe, msg_id, cause);
  stop_reply(scribe, "stopped", reason);
}

}  // namespace reprise::channel
