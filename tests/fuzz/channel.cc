// Any signals and results for a channel: it never throws, refuses garbage by an event of its own,
// says only JSON, and is the same from its snapshot.
//
// Each line is an activation or a question: "signal NAME JSON", "resolve N JSON", "fail N JSON",
// "cancel N", "pass MS", "ask JSON". N counts the open requests through.
#include "processes/channel/channel.h"

#include <algorithm>
#include <array>
#include <deque>
#include <map>
#include <nlohmann/json.hpp>

#include "journal/error.h"
#include "journal/value.h"
#include "tests/fuzz/input.h"
#include "tests/fuzz/target.h"

namespace reprise::fuzz {

namespace {

using Json = nlohmann::json;

constexpr std::array<std::string_view, 40> kWords = {
    "\nsignal channel.message {\"msgId\":\"m9\",\"author\":{\"id\":\"ann\"},\"content\":\"x\","
    "\"flags\":{\"dm\":true}}\n",
    "\nsignal channel.cancel {\"msgIds\":[\"m1\"]}\n",
    "\nsignal channel.stop {}\n",
    "\nsignal channel.reorder {\"msgIds\":[\"m2\",\"m1\"]}\n",
    "\nsignal channel.delay {\"msgId\":\"m1\",\"notBefore\":1700000600000}\n",
    "\nsignal channel.hold {}\n",
    "\nsignal channel.release {}\n",
    "\nsignal channel.recover {}\n",
    "\nsignal channel.close {}\n",
    "\nsignal channel.delete {}\n",
    "\nsignal channel.configure {\"settings\":{\"historyMessages\":-1}}\n",
    "\nsignal channel.allow {\"users\":[\"bob\"],\"role\":\"owner\"}\n",
    "\nsignal channel.deny {\"users\":[1]}\n",
    "\nsignal worker.spawn {\"objective\":\"x\",\"mode\":\"interactive\"}\n",
    "\nsignal worker.route {\"workerId\":\"w1\",\"command\":\"continue\",\"text\":\"x\"}\n",
    "\nsignal worker.cancel {\"workerId\":\"w1\"}\n",
    "\nsignal branch.spawn {\"prompt\":\"x\"}\n",
    "\nsignal branch.timeout {\"branchId\":\"b1\"}\n",
    "\nsignal nonsense 1\n",
    "\nresolve 0 {\"text\":\"hi\"}\n",
    "\nresolve 0 {\"status\":\"waiting\",\"report\":\"x\"}\n",
    "\nresolve 1 {\"summary\":\"x\",\"usage\":{\"promptTokens\":-1}}\n",
    "\nresolve 0 {\"text\":\"\",\"ask\":{\"question\":\"x\"}}\n",
    "\nresolve 0 {\"text\":\"\",\"plan\":\"x\"}\n",
    "\nresolve 0 {\"approved\":true}\n",
    "\nresolve 0 {\"spawn\":{\"worker\":{\"objective\":\"x\"}}}\n",
    "\nresolve 0 {\"memories\":[{\"id\":1}],\"bulletin\":null}\n",
    "\nfail 0 {\"name\":\"too_long\",\"message\":\"x\",\"data\":{\"streamed\":true}}\n",
    "\nfail 0 \"x\"\n",
    "\ncancel 0\n",
    "\npass 60000\n",
    "\npass 99999999999\n",
    "\nask {\"ask\":\"channel\"}\n",
    "\nask {\"ask\":\"route\",\"text\":5}\n",
    "\nask 7\n",
    "\"content\":\"/status\"",
    "\"content\":\"!loop /hold\"",
    "\"priority\":1e300",
    "null",
    "[]"};

struct Open {
  std::string kind;
  int64_t due_ms = 0;
};

class Channel {
 public:
  Channel() {
    Activation start;
    start.inputs = x_inputs.text();
    give(start);
  }

  bool goes_on() const { return !x_ended; }

  void signal(std::string_view name, const std::string& value, Subject subject) {
    Activation activation;
    activation.kind = Activation::Kind::kSignal;
    activation.at_ms = x_now_ms;
    activation.rules = kNewestRules;
    activation.name = name;
    activation.value = value;
    const auto refusal = x_decider->check(activation);
    const auto told = give(activation);
    if (!refusal) return;
    expect(!refusal->code.empty() && !refusal->message.empty(), "a refusal says why");
    expect_equal(subject == Subject::kReal ? told : "", "channel.signal.refused ",
                 "a signal that is refused does nothing");
  }

  void end_effect(std::string_view verb, uint64_t number, const std::string& json) {
    if (x_open.empty()) return;
    auto open = x_open.begin();
    std::advance(open, static_cast<ptrdiff_t>(number % x_open.size()));
    end_effect(verb, open, json);
  }

  void pass(uint64_t ms) {
    x_now_ms += static_cast<int64_t>(ms % 100'000'000'000);
    while (!x_ended) {
      const auto due = std::ranges::find_if(x_open, [&](const auto& entry) {
        return entry.second.kind == "sleep" && entry.second.due_ms <= x_now_ms;
      });
      if (due == x_open.end()) return;
      end_effect("resolve", due, "null");
    }
  }

  void ask(const std::string& question) const {
    expect(Json::accept(x_decider->answer(question)), "an answer is JSON");
  }

  void expect_same_from_snapshot() const {
    const auto snapshot = x_decider->snapshot();
    const auto restored = channel_process().make(x_inputs);
    expect(restored->restore(snapshot), "a snapshot can be restored");
    expect_equal(restored->snapshot(), snapshot, "a snapshot restores everything");
  }

 private:
  using OpenEffects = std::map<uint64_t, Open>;

  void end_effect(std::string_view verb, OpenEffects::iterator open, const std::string& json) {
    Activation activation;
    activation.kind = verb == "cancel" ? Activation::Kind::kCancelled : Activation::Kind::kResolved;
    activation.effect = open->first;
    activation.ok = verb == "resolve";
    (activation.ok ? activation.value : activation.error) = json;
    x_open.erase(open);
    give(activation);
  }

  /// The types of the events that it caused, each with a space behind it.
  std::string give(Activation activation) {
    activation.seq = ++x_seq;
    activation.at_ms = x_now_ms;
    activation.rules = kNewestRules;
    x_decider->evolve(activation);
    const auto commands = x_decider->decide(activation);
    std::string told;
    std::deque<std::string> texts;
    std::vector<CommandRecord> records;
    for (const auto& command : commands) {
      if (auto record = recorded(command, activation.seq, texts)) records.push_back(*record);
      if (command.kind == Command::Kind::kEmit) told += command.name + " ";
      if (command.kind == Command::Kind::kRequest) told += "request ";
    }
    for (const auto& record : records) x_decider->evolve(record);
    return told;
  }

  std::optional<CommandRecord> recorded(const Command& command, uint64_t cause,
                                        std::deque<std::string>& texts) {
    CommandRecord record{.cause = cause};
    if (command.kind == Command::Kind::kWithdraw) {
      expect(x_open.erase(command.effect) == 1, "what is withdrawn was open");
      return std::nullopt;
    }
    record.seq = ++x_seq;
    if (command.kind == Command::Kind::kEmit) {
      record.kind = CommandRecord::Kind::kEmitted;
      record.data = texts.emplace_back(Json{{"type", command.name}}.dump());
      record.payload = texts.emplace_back(parse_value(command.json, "an event").text);
    } else if (command.kind == Command::Kind::kRequest) {
      record.kind = CommandRecord::Kind::kRequested;
      record.effect = ++x_effects;
      for (const auto* json : {&command.args, &command.definition}) parse_value(*json, "a request");
      Json data = {{"key", command.key}, {"kind", command.effect_kind}};
      if (command.trace != 0 && command.trace != cause) data["trace"] = command.trace;
      record.data = texts.emplace_back(data.dump());
      x_open[record.effect] = {command.effect_kind, command.due_ms};
    } else {
      record.kind = CommandRecord::Kind::kCompleted;
      x_ended = true;
    }
    return record;
  }

  Inputs x_inputs{[] { return std::string("{}"); }};
  std::unique_ptr<Decider> x_decider{channel_process().make(x_inputs)};
  OpenEffects x_open;
  int64_t x_now_ms = 1'700'000'000'000;
  uint64_t x_seq = 0;
  uint64_t x_effects = 0;
  bool x_ended = false;
};

/// What the engine would take: a value; empty when it is none.
std::string value_of(std::string_view json) {
  try {
    return parse_value(json, "a value").text;
  } catch (const Error&) {
    return {};
  }
}

void check(std::string_view bytes, Subject subject) {
  Channel channel;
  Input input(bytes);
  for (int lines = 0; !input.at_end() && channel.goes_on() && lines < 64; ++lines) {
    Input line(input.line());
    const auto verb = line.word();
    const auto name = verb == "signal" ? line.word() : std::string_view();
    const auto number = verb == "signal" || verb == "ask" ? 0 : line.number();
    if (value_of(quote(name)).empty()) continue;
    const auto value = verb == "cancel" ? R"({"reason":"x"})" : value_of(line.rest());
    if (verb == "pass") {
      channel.pass(number);
    } else if (value.empty()) {
      continue;
    } else if (verb == "signal") {
      channel.signal(name, value, subject);
    } else if (verb == "ask") {
      channel.ask(value);
    } else if (verb == "resolve" || verb == "fail" || verb == "cancel") {
      channel.end_effect(verb, number, value);
    }
    channel.expect_same_from_snapshot();
  }
}

}  // namespace

const Target kTarget{"channel", kWords, check};

}  // namespace reprise::fuzz
