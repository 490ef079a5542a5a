// The machine that a command runs on, as claims need it: which processes still run, and a way to
// wait. Only commands ask it, before they record what they saw; replay never does.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace reprise {

class Host {
 public:
  virtual ~Host() = default;

  virtual std::string name() = 0;
  /// This boot of the machine and this space of process ids: a pid means something only to whom
  /// sees the same one. Empty when it is unknown.
  virtual std::string boot() = 0;
  /// When the process started, in clock ticks after the boot; nullopt when there is none, or it
  /// cannot be seen.
  virtual std::optional<uint64_t> start_time(uint64_t pid) = 0;
  /// Surely over: there is no such process, another one has its number, or only its exit code is
  /// left.
  virtual bool has_ended(uint64_t pid, uint64_t start_time) = 0;
  virtual void pause(int64_t ms) = 0;
};

/// The machine itself, by /proc.
class ThisHost final : public Host {
 public:
  std::string name() override;
  std::string boot() override;
  std::optional<uint64_t> start_time(uint64_t pid) override;
  bool has_ended(uint64_t pid, uint64_t start_time) override;
  void pause(int64_t ms) override;
};

}  // namespace reprise
