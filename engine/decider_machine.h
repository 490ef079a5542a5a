// Runs a built-in process: evolve over all records in causal order, decide for live activations
// only. What evolve throws at a record that the process cannot have had, or does not understand,
// is Error DIVERGED, exit 6, with the record's number.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "engine/machine.h"

namespace reprise {

class DeciderMachine final : public Machine {
 public:
  DeciderMachine(std::string_view name, std::unique_ptr<Decider> decider)
      : x_name(name), x_decider(std::move(decider)) {}

  void replay(const Activation& activation, std::span<const CommandRecord> commands,
              uint64_t next_effect) override;
  std::vector<Command> repeat(const Activation& activation, uint64_t next_effect) override {
    return advance(activation, next_effect);
  }
  void adopt(uint64_t, uint64_t) override {}
  void begin_live() override {}
  void begin_replay(size_t) override {}
  std::vector<Command> advance(const Activation& activation, uint64_t next_effect) override;
  void recorded(const CommandRecord& command) override;
  bool folds() const override { return true; }
  std::string snapshot() const override { return x_decider->snapshot(); }
  std::optional<Refusal> check(const Activation& signal) const override {
    return x_decider->check(signal);
  }
  std::string answer(std::string_view question) const override {
    return x_decider->answer(question);
  }
  std::set<uint64_t> take_withdrawn() override { return std::exchange(x_withdrawn, {}); }
  std::string awaited() const override { return "[]"; }
  std::vector<LogLine> take_log() override { return {}; }

 private:
  template <typename Record>
  void fold(const Record& record);

  std::string x_name;  ///< in the catalogue
  std::unique_ptr<Decider> x_decider;
  std::set<uint64_t> x_withdrawn;
};

}  // namespace reprise
