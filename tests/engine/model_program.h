// Random JavaScript processes for the model test, and the dice that everything in it is drawn from.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>

namespace reprise::test {

/// Numbers from a seed; the same on every machine. Seeds that follow each other have nothing in
/// common.
class Dice {
 public:
  explicit Dice(uint64_t seed) : x_state(seed) { x_state = next(); }

  uint64_t next();
  /// 0 to sides - 1.
  uint64_t below(uint64_t sides) { return next() % sides; }
  bool chance(uint64_t percent) { return below(100) < percent; }
  template <typename Value>
  Value one_of(std::initializer_list<Value> values) {
    return values.begin()[below(values.size())];
  }

 private:
  uint64_t x_state;
};

/// A process that does anything a process can do, in any order: tasks with builders of all kinds,
/// keyed calls, sleeps, signals with and without a timeout, events, random numbers, in sequences,
/// branches, loops, races, with and without catch.
///
/// What the oracles look for in its journal and its log:
///   * every result that reaches its call is logged as ("got", label of the effect), and some calls
///     also emit it as an event: got ["label", ...];
///   * a result {"for": label} at another call than that label's is emitted as an event "mismatch";
///   * every signal that arrives is emitted as an event "signal" [name, value].
std::string random_program(Dice& dice);

/// The program with one statement more, at any place.
std::string edited_program(const std::string& program, Dice& dice);

/// The part of a program that is its own, for messages.
std::string own_part(const std::string& program);

}  // namespace reprise::test
