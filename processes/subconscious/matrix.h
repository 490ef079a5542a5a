// What follows from a decision about a task.
//
//   decision   intent   what follows                         permission
//   noop       any      the log says "Nothing new"           -
//   act        read     effect act                           read
//   act        write    effect act (1)                       full
//   escalate   read     effect agent, which only analyses    read
//   escalate   write    effect agent (1)                     full
//
// (1) With writeTasks: approve a person is asked first.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "processes/subconscious/evaluation.h"

namespace reprise::subconscious {

/// What is requested: a noun, the first part of the request's key.
struct Work {
  std::string_view noun;
  std::string_view kind;  ///< of the effect
  std::string_view task;
  bool full = false;  ///< its permission; else read
};

constexpr Work kAct = {"act", "act", "heartbeat.act", false};
constexpr Work kActFull = {"act-full", "act", "heartbeat.act", true};
constexpr Work kAnalyse = {"analyse", "agent", "heartbeat.analyse", false};
constexpr Work kAgentFull = {"agent-full", "agent", "heartbeat.agent", true};
constexpr std::array kWorks = {kAct, kActFull, kAnalyse, kAgentFull};

/// nullptr when there is none of that noun.
constexpr const Work* find_work(std::string_view noun) {
  for (const auto& work : kWorks) {
    if (work.noun == noun) return &work;
  }
  return nullptr;
}

struct Step {
  const Work* work = nullptr;  ///< null: nothing but the log
  bool asks = false;           ///< a person, before it is requested
};

constexpr Step step_of(Verdict verdict, bool writes, bool approves_writes) {
  if (verdict == Verdict::kNoop) return {};
  const bool acts = verdict == Verdict::kAct;
  if (!writes) return {acts ? &kAct : &kAnalyse, false};
  return {acts ? &kActFull : &kAgentFull, approves_writes};
}

}  // namespace reprise::subconscious
