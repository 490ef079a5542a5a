// The decider: an activation goes to the noun that it concerns.
#include "processes/subconscious/subconscious.h"

#include <optional>

#include "processes/kit/records.h"
#include "processes/subconscious/answer.h"
#include "processes/subconscious/approval.h"
#include "processes/subconscious/course.h"
#include "processes/subconscious/signals.h"
#include "processes/subconscious/work.h"

namespace reprise {

namespace subconscious {
namespace {

using kit::text_of;

std::string check_inputs(std::string_view text) {
  return Json::parse(text).is_object() ? "" : "must be an object";
}

void resolve(Pen& pen, const kit::Result& result) {
  const auto& noun = result.owner.noun;
  if (noun == kEvaluate) {
    resolve_evaluation(pen, result);
  } else if (noun == kCard) {
    resolve_card(pen, result);
  } else if (noun == kApproved) {
    resolve_approved(pen, result);
  } else if (noun == kAgain) {
    resolve_pause(pen, result);
  } else {
    resolve_work(pen, result);
  }
}

class Subconscious final : public Decider {
 public:
  void evolve(const Activation& activation) override {
    x_now_ms = activation.at_ms;
    x_result = kit::take_result(x_loop.effects, activation);
  }

  void evolve(const CommandRecord& command) override {
    if (command.kind == CommandRecord::Kind::kEmitted) {
      const auto type = kit::record_text(command.data, "type");
      x_loop.evolve({type, Json::parse(command.payload), x_now_ms});
    } else if (command.kind == CommandRecord::Kind::kRequested) {
      x_loop.requested(command.effect, kit::owner_of(command));
    }
  }

  std::vector<Command> decide(const Activation& activation) const override {
    Pen pen(x_loop, activation.at_ms, x_result ? x_result->owner.trace : activation.seq);
    switch (activation.kind) {
      case Activation::Kind::kStart:
        seed_tasks(pen);
        break;
      case Activation::Kind::kSignal:
        take_signal(pen, activation);
        break;
      case Activation::Kind::kResolved:
      case Activation::Kind::kCancelled:
        if (x_result) resolve(pen, *x_result);
        break;
      case Activation::Kind::kCancelRun:
        pen.halt_cancelled(text_of(Json::parse(activation.value), "reason"));
        break;
    }
    return pen.take();
  }

  std::optional<Refusal> check(const Activation& signal) const override {
    const auto* spec = find_signal(signal.name);
    if (spec != nullptr) return spec->check(x_loop, Json::parse(signal.value));
    return Refusal{Refusal::Kind::kInvalid, "UNKNOWN_SIGNAL",
                   "a subconscious loop knows no signal \"" + std::string(signal.name) + "\"", ""};
  }

  std::string answer(std::string_view question) const override {
    return subconscious::answer(x_loop, Json::parse(question)).dump();
  }

  void keep_all() override { x_loop.keep_all(); }

  std::string snapshot() const override {
    return Json{{"now", x_now_ms}, {"loop", x_loop.to_json()}}.dump();
  }

  bool restore(std::string_view snapshot) override {
    const auto json = Json::parse(snapshot);
    x_now_ms = kit::number_of(json, "now");
    return x_loop.restore(json.at("loop"));
  }

 private:
  void take_signal(Pen& pen, const Activation& signal) const {
    if (const auto refusal = check(signal)) {
      return pen.emit(
          "heartbeat.signal.refused",
          {{"name", signal.name}, {"code", refusal->code}, {"message", refusal->message}});
    }
    find_signal(signal.name)->apply(pen, Json::parse(signal.value), signal.seq);
  }

  Loop x_loop;
  int64_t x_now_ms = 0;                 ///< of the last activation
  std::optional<kit::Result> x_result;  ///< that the activation at hand brought
};

std::unique_ptr<Decider> make(const Inputs&) { return std::make_unique<Subconscious>(); }

}  // namespace
}  // namespace subconscious

BuiltIn subconscious_process() {
  return {"subconscious", "Tasks that are evaluated again and again, with approvals",
          subconscious::check_inputs, subconscious::make};
}

}  // namespace reprise
