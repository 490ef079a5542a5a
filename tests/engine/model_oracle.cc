#include "tests/engine/model_oracle.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <functional>

#include "engine/history.h"
#include "journal/ids.h"
#include "journal/memory_files.h"

namespace reprise::test {

namespace {

/// The journal, read once more by other eyes than the engine's.
struct Facts {
  struct Result {
    uint64_t effect = 0;
    std::string value;
  };
  struct Outcome {
    uint32_t attempt = 0;
    std::string value;
  };
  struct Event {
    uint64_t cause = 0;
    std::string type;
    std::string payload;
  };
  std::map<uint64_t, std::string> labels;                   ///< by effect
  std::map<uint64_t, Result> settled;                       ///< by seq of the activation
  std::map<uint64_t, std::vector<Outcome>> outcomes;        ///< of the attempts, by effect
  std::map<std::string, Attempted> claims;                  ///< by token
  std::map<uint64_t, std::string> holders;                  ///< token by effect
  std::vector<std::string> broken;                          ///< what claims should not do
  std::map<std::string, std::vector<std::string>> signals;  ///< values by name
  std::vector<Event> events;
  std::vector<uint64_t> requested;
  std::vector<std::string> ends;
  size_t commands_after_end = 0;
};

std::string outcome(const Members& data, Dir& run) {
  const auto value = load_value(data, "value", run);
  return value.empty() ? load_value(data, "error", run) : value;
}

void note_claim(Facts& facts, uint64_t effect, const Members& data) {
  const auto token = data.text("token");
  auto& holder = facts.holders[effect];
  const auto attempt = static_cast<uint32_t>(data.number("attempt"));
  if (data.flag("released")) {
    if (holder != token) facts.broken.push_back("another one gave back " + token);
    return holder.clear();
  }
  if (holder == token) return;
  if (!holder.empty()) facts.broken.push_back(token + " was given while somebody had " + holder);
  if (!facts.claims.emplace(token, Attempted(effect, attempt)).second) {
    facts.broken.push_back(token + " was given twice");
  }
  holder = token;
}

void note_outcome(Facts& facts, uint64_t effect, const Members& data, Dir& run) {
  facts.holders[effect].clear();
  if (data.text("status") == "approved") return;
  facts.outcomes[effect].push_back(
      {static_cast<uint32_t>(data.number("attempt")), outcome(data, run)});
}

Facts read_facts(TestRun& run) {
  Facts facts;
  JsonReader reader;
  for_each_event(run.dir(), [&](const RecordView& record) {
    const auto& data = reader.members(record.data);
    const auto effect = parse_effect_id(data.text("effectId")).value_or(0);
    if (is_command(record.type) && !facts.ends.empty()) ++facts.commands_after_end;
    switch (record.type) {
      case RecordType::kEffectRequested:
        facts.requested.push_back(effect);
        facts.labels[effect] = data.text("label");
        break;
      case RecordType::kEffectClaimed:
        note_claim(facts, effect, data);
        break;
      case RecordType::kEffectRetryScheduled:
        note_outcome(facts, effect, data, run.dir());
        break;
      case RecordType::kEffectResolved:
        note_outcome(facts, effect, data, run.dir());
        [[fallthrough]];
      case RecordType::kEffectCancelled:
        facts.settled[record.seq] = {effect, outcome(data, run.dir())};
        break;
      case RecordType::kSignalReceived:
        if (data.flag("cancel")) break;
        facts.signals[data.text("name")].push_back(load_value(data, "value", run.dir()));
        break;
      case RecordType::kEventEmitted:
        facts.events.push_back(
            {record.cause, data.text("type"), load_value(data, "payload", run.dir())});
        break;
      case RecordType::kRunCompleted:
      case RecordType::kRunFailed:
      case RecordType::kRunHalted:
        facts.ends.emplace_back(record_type_name(record.type));
        break;
      default:
        break;
    }
  });
  return facts;
}

void check_results(const Facts& facts, const Acknowledged& acknowledged) {
  std::map<uint64_t, std::string> found;
  for (const auto& [seq, result] : facts.settled) {
    INFO("effect t" << result.effect);
    CHECK(found.emplace(result.effect, result.value).second);
  }
  for (const auto& [effect, value] : acknowledged.results) {
    INFO("the acknowledged result of t" << effect);
    CHECK(found[effect] == value);
  }
}

void check_attempts(const Facts& facts, const Acknowledged& acknowledged) {
  std::map<Attempted, std::string> found;
  for (const auto& [effect, outcomes] : facts.outcomes) {
    uint32_t attempt = 0;
    for (const auto& each : outcomes) {
      INFO("effect t" << effect);
      CHECK(each.attempt == ++attempt);
      found[{effect, each.attempt}] = each.value;
    }
  }
  for (const auto& [attempt, value] : acknowledged.outcomes) {
    INFO("the acknowledged outcome of attempt " << attempt.second << " of t" << attempt.first);
    CHECK(found[attempt] == value);
  }
  for (const auto& claim : acknowledged.claims) {
    INFO("the acknowledged claim " << claim.token);
    CHECK(facts.claims.contains(claim.token));
    CHECK(facts.claims.at(claim.token) == claim.attempt);
  }
  for (const auto& broken : facts.broken) {
    INFO(broken);
    CHECK(false);
  }
}

void check_acknowledged(const Facts& facts, const Acknowledged& acknowledged) {
  std::map<std::string, std::string> found;
  for (const auto& [name, values] : facts.signals) {
    for (const auto& value : values) {
      INFO("signal " << value);
      CHECK(found.emplace(value, name).second);
      CHECK((acknowledged.signals.contains(value) || acknowledged.unsure.contains(value)));
    }
  }
  for (const auto& [value, name] : acknowledged.signals) {
    INFO("the acknowledged signal " << value);
    CHECK(found[value] == name);
  }
}

/// Events tell what reached the process: see model_program.h.
void check_deliveries(const Facts& facts) {
  std::map<std::string, size_t> arrived;
  for (const auto& event : facts.events) {
    INFO("event " << event.type << " " << event.payload);
    CHECK(event.type != "mismatch");
    const auto parts =
        event.type == "tell" ? std::vector<std::string_view>() : array_elements(event.payload);
    if (event.type == "got") {
      REQUIRE(facts.settled.contains(event.cause));
      CHECK(facts.labels.at(facts.settled.at(event.cause).effect) == unquote(parts.at(0)));
    } else if (event.type == "signal") {
      const auto name = unquote(parts.at(0));
      const auto& sent = facts.signals.at(name);
      const auto index = arrived[name]++;
      REQUIRE(index < sent.size());
      CHECK(sent[index] == parts.at(1));
    }
  }
}

}  // namespace

void check_run(TestRun& run, const Acknowledged& acknowledged) {
  const auto facts = read_facts(run);
  CHECK(std::is_sorted(facts.requested.begin(), facts.requested.end(), std::less_equal<>()));
  // Only a failed run can end once more: halted from outside.
  const size_t ends = facts.ends.size();
  CHECK((ends <= 1 || (ends == 2 && facts.ends.front() == "RUN_FAILED")));
  CHECK(facts.commands_after_end == (ends == 2 ? 1 : 0));
  check_results(facts, acknowledged);
  check_attempts(facts, acknowledged);
  check_acknowledged(facts, acknowledged);
  check_deliveries(facts);
  CHECK(text_of(read_state(run.dir()).state) == text_of(read_state(run.dir(), true).state));
}

std::string text_of(const RunState& state) {
  const auto scratch = MemoryFiles().root();
  scratch->make_dir("state");
  store_state(*scratch, state, {});
  return *read_file(*scratch, "state/state.json");
}

std::vector<std::string> labels_applied(TestRun& run, uint64_t after, uint64_t applied) {
  const auto facts = read_facts(run);
  std::vector<std::string> labels;
  for (const auto& [seq, result] : facts.settled) {
    const auto& label = facts.labels.at(result.effect);
    const bool timer = label.starts_with("signal:");  // its end may concern nobody any more
    if (seq > after && seq <= applied && !timer) labels.push_back(label);
  }
  return labels;
}

}  // namespace reprise::test
