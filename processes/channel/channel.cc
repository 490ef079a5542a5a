// The decider: an activation goes to the noun that it concerns; then the channel goes on.
#include "processes/channel/channel.h"

#include <array>
#include <optional>

#include "json/scan.h"
#include "processes/channel/answer.h"
#include "processes/channel/intake.h"
#include "processes/channel/scribe.h"
#include "processes/channel/signals.h"
#include "processes/kit/records.h"

namespace reprise {

namespace channel {
namespace {

std::string check_inputs(std::string_view text) { return Identity::check(Json::parse(text)); }

/// Who is told the result of a request, by the noun in its key.
struct Resolver {
  std::string_view noun;
  void (*resolve)(Scribe& scribe, const Result& result);
};
constexpr std::array kResolvers = {
    Resolver{"reply", resolve_reply},   Resolver{"context", resolve_reply},
    Resolver{"card", resolve_card},     Resolver{"worker", resolve_worker},
    Resolver{"brief", resolve_worker},  Resolver{"branch", resolve_branch},
    Resolver{"recall", resolve_branch}, Resolver{"compaction", resolve_compaction},
};

class ChannelDecider final : public Decider {
 public:
  void evolve(const Activation& activation) override {
    x_now_ms = activation.at_ms;
    x_result = kit::take_result(x_channel.effects, activation);
  }

  void evolve(const CommandRecord& command) override {
    if (command.kind == CommandRecord::Kind::kEmitted) {
      const auto type = kit::record_text(command.data, "type");
      x_channel.evolve({type, Json::parse(command.payload), x_now_ms});
    } else if (command.kind == CommandRecord::Kind::kRequested) {
      x_channel.effects.add(command.effect, kit::owner_of(command));
    }
  }

  std::vector<Command> decide(const Activation& activation) const override {
    Scribe scribe(x_channel, activation.at_ms, x_result ? x_result->owner.trace : activation.seq);
    switch (activation.kind) {
      case Activation::Kind::kStart:
        create(scribe, activation);
        break;
      case Activation::Kind::kSignal:
        take_signal(scribe, activation);
        break;
      case Activation::Kind::kResolved:
      case Activation::Kind::kCancelled:
        if (x_result) resolve(scribe, *x_result);
        break;
      case Activation::Kind::kCancelRun:
        scribe.halt_cancelled(text_of(Json::parse(activation.value), "reason"));
        return scribe.take();
    }
    close_idle_session(scribe);
    go_on(scribe);
    watch_session(scribe);
    return scribe.take();
  }

  std::optional<Refusal> check(const Activation& signal) const override {
    const auto* spec = find_signal(signal.name);
    if (spec == nullptr) {
      return Refusal{Refusal::Kind::kInvalid, "UNKNOWN_SIGNAL",
                     "a channel knows no signal \"" + std::string(signal.name) + "\"", ""};
    }
    return spec->check(x_channel, Json::parse(signal.value), signal.at_ms);
  }

  std::string answer(std::string_view question) const override {
    return channel::answer(x_channel, Json::parse(question), x_now_ms).dump();
  }

  void keep_all() override { x_channel.keeps_all = true; }

  std::string snapshot() const override {
    RowsWriter rows;
    Json json = {{"now", x_now_ms}, {"channel", x_channel.to_json(rows)}};
    json["rows"] = rows.take();
    return json.dump();
  }

  bool restore(std::string_view snapshot) override {
    std::string_view channel;
    std::string_view rows;
    json::members(snapshot, [&](std::string_view name, std::string_view raw) {
      if (name == "channel") channel = raw;
      if (name == "rows") rows = raw;
      if (name == "now") x_now_ms = Json::parse(raw);
    });
    return x_channel.restore(Json::parse(channel), RowsReader(rows));
  }

 private:
  static void create(Scribe& scribe, const Activation& start) {
    auto inputs = Json::parse(start.inputs);
    if (!inputs.contains("id")) inputs["id"] = start.name;
    scribe.emit("channel.created", inputs);
  }

  void take_signal(Scribe& scribe, const Activation& signal) const {
    if (const auto refusal = check(signal)) {
      scribe.emit("channel.signal.refused",
                  {{"name", signal.name}, {"code", refusal->code}, {"message", refusal->message}});
      return;
    }
    find_signal(signal.name)->apply(scribe, Json::parse(signal.value), signal.seq);
  }

  static void resolve(Scribe& scribe, const Result& result) {
    for (const auto& resolver : kResolvers) {
      if (resolver.noun == result.owner.noun) resolver.resolve(scribe, result);
    }
  }

  Channel x_channel;
  int64_t x_now_ms = 0;            ///< of the last activation
  std::optional<Result> x_result;  ///< that the activation at hand brought
};

std::unique_ptr<Decider> make(const Inputs&) { return std::make_unique<ChannelDecider>(); }

}  // namespace
}  // namespace channel

BuiltIn channel_process() {
  return {"channel", "A conversation with an agent: queue, workers, branches, compaction",
          channel::check_inputs, channel::make};
}

}  // namespace reprise
