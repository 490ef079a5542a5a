// A program is text, made block by block; its fixed part knows how to call and what to tell.
#include "tests/engine/model_program.h"

#include <array>
#include <vector>

namespace reprise::test {

namespace {

constexpr std::string_view kFixedPart = R"JS(
  import { defineTask } from 'reprise';
  const builders = {
    plain: () => ({ kind: 'agent' }),
    shell: () => ({ kind: 'shell', shell: { command: 'true' } }),
    random: async () => {
      await 0;
      const roll = Math.random();
      await 0;
      return { kind: 'agent', roll };
    },
    slow: async () => { for (let i = 0; i < 5; i++) await i; return { kind: 'agent' }; },
    broken: () => { throw new Error('the builder is broken'); },
    brokenLater: async () => { await 0; throw new Error('the builder is broken'); },
    endless: () => new Promise(() => {}),
  };
  const tasks = {};
  for (const id of ['A', 'B']) {
    for (const b in builders) tasks[id + b] = defineTask(id, builders[b]);
  }
  const hash = (value) => {
    let sum = 7;
    for (const c of JSON.stringify(value) ?? '') sum = (sum * 31 + c.charCodeAt(0)) % 1000003;
    return sum;
  };
  export async function process(inputs, ctx) {
    let count = 0;
    let last = 0;
    const keys = new Set();
    const watch = (promise, label, traced) => {
      const seen = (owner) => {
        ctx.log('got', label);
        if (owner !== undefined && owner !== label) ctx.emit('mismatch', [label, owner]);
        if (traced) ctx.emit('got', [label]);
      };
      promise.then((value) => seen(value?.for ?? value?.error?.data?.for),
                   (error) => { if (error.effectId) seen(error.data?.for); });
      return promise;
    };
    const call = (id, builder, arg, traced, options) => {
      const label = `${id}-${builder}-${++count}`;
      return watch(ctx.task(tasks[id + builder], { arg }, { label, ...options }), label, traced);
    };
    const keyed = (key, id) => {
      const promise = ctx.task(tasks[id + 'random'], { key }, { key, label: key });
      if (keys.has(key)) return promise;
      keys.add(key);
      return watch(promise, key, true);
    };
    const nap = (ms, traced) => {
      const due = Date.now() + ms;
      const promise = ctx.sleepUntil(due);
      return ms > 0 ? watch(promise, 'sleep:' + new Date(due).toISOString(), traced) : promise;
    };
    const signal = async (name, timeoutMs) => {
      try {
        const value = await ctx.signal(name, { timeoutMs });
        ctx.emit('signal', [name, value]);
        return value;
      } catch (error) {
        if (error.name !== 'SignalTimeoutError') throw error;
        return 'late';
      }
    };
)JS";

/// Stands before each statement, so that edits find a place.
constexpr std::string_view kStatement = "/**/ ";

class Writer {
 public:
  explicit Writer(Dice& dice) : x_dice(dice) {}

  std::string program() { return std::string(kStatement) + crowd() + "\n" + block(2, 6); }

  std::string block(int depth, uint64_t most) {
    std::string text;
    for (uint64_t left = 1 + x_dice.below(most); left > 0; --left) {
      text.append(kStatement).append(statement(depth)).append(1, '\n');
    }
    return text;
  }

 private:
  std::string statement(int depth) {
    if (x_dice.chance(3)) return rare();
    return depth > 0 && x_dice.chance(40) ? compound(depth - 1) : simple();
  }

  std::string id() { return x_dice.chance(50) ? "'A'" : "'B'"; }
  std::string traced() { return x_dice.chance(50) ? "true" : "false"; }

  std::string call() {
    const auto builder =
        x_dice.one_of({"plain", "plain", "plain", "shell", "random", "slow", "random"});
    return call(x_dice.chance(6) ? x_dice.one_of({"broken", "brokenLater", "endless"}) : builder);
  }
  std::string call(const char* builder) {
    const auto arg = x_dice.one_of({"1", "2", "hash(last)", "count", "Date.now()"});
    const auto more = x_dice.chance(70) ? ", " + options() : std::string();
    return "call(" + id() + ", '" + builder + "', " + arg + ", " + traced() + more + ")";
  }
  /// What becomes of an attempt that fails.
  std::string options() {
    std::string text = "{ ";
    if (x_dice.chance(30)) text += x_dice.one_of({"timeoutMs: 20, ", "timeoutMs: 200, "});
    if (x_dice.chance(60)) text += x_dice.one_of({"onLost: 'ask', ", "onLost: 'fail', "});
    if (x_dice.chance(70)) {
      text += "retry: { maxAttempts: ";
      text += x_dice.one_of({"1", "2", "3", "4"});
      text += ", backoffMs: ";
      text += x_dice.one_of({"0", "10, factor: 1", "5, factor: 3, maxBackoffMs: 20"});
      if (x_dice.chance(50)) text += ", onExhausted: 'ask'";
      text += ", nonRetryable: ['Final'] }, ";
    }
    return text + "}";
  }
  std::string nap() { return "nap(" + std::string(milliseconds()) + ", " + traced() + ")"; }
  const char* milliseconds() { return x_dice.one_of({"0", "5", "10", "50"}); }
  std::string signal() {
    const std::string name = x_dice.chance(50) ? "'x'" : "'y'";
    return "signal(" + name + ", " + (x_dice.chance(50) ? milliseconds() : "undefined") + ")";
  }

  /// Work that fails without failing the process.
  std::string crowd() {
    std::string calls;
    for (int i = 0; i < 3; ++i) calls += call() + ",\n";
    return "last = (await Promise.allSettled([\n" + calls + "])).map((one) => one.status);";
  }

  std::string simple() {
    switch (x_dice.below(20)) {
      case 11:
      case 12:
        return crowd();
      case 0:
        return call() + ".catch(() => {});";
      case 1:
        return x_dice.chance(50) ? "last = await keyed('k1', 'A');"
                                 : "last = await keyed('k2', 'B');";
      case 2:
        return "keyed('k1', 'A').catch(() => {});";
      case 3:
        return x_dice.chance(50) ? "last = Math.random();" : "last = ctx.uuid();";
      case 4:
        return "last = Date.now();";
      case 5:
        return "ctx.emit('tell', hash(last));";
      case 6:
      case 7:
        return "await " + nap() + ";";
      case 8:
        return "last = await " + signal() + ";";
      case 9:
        return "last = await Promise.race([" + signal() + ", " + nap() + "]);";
      case 10:
        return "last = await Promise.race([" + call() + ", " + nap() + "]);";
      default:
        return "last = await " + call() + ";";
    }
  }

  std::string compound(int depth) {
    switch (x_dice.below(9)) {
      case 0:
        return side_by_side("all", depth);
      case 1:
        return side_by_side("race", depth);
      case 2:
        return side_by_side("any", depth);
      case 3:
        return "for (let i = 0; i < 3; i++) {\n" + block(depth, 2) + "}";
      case 4:
        return "for (let i = 0; i < 4 && hash(last) % 3; i++) {\n" + block(depth, 1) + "}";
      case 5:
        return "try {\n" + block(depth, 3) + "} catch (error) {\nlast = error.name;\n" +
               block(depth, 1) + "}";
      case 6:
        return "if (hash(last) % 2) {\n" + block(depth, 2) + "} else {\n" + block(depth, 2) + "}";
      case 7:
        return "last = await Promise.all((hash(last) % 2 ? ['A', 'B'] : ['B', 'A']).map("
               "(id) => call(id, 'plain', 'order', true)));";
      default:
        return "last = await ctx.parallel.map([1, 2, 3], (n) => call('A', 'slow', n, " + traced() +
               "), { maxConcurrency: 2 });";
    }
  }

  std::string side_by_side(const std::string& how, int depth) {
    std::string text = "last = await Promise." + how + "([\n";
    for (int i = 0; i < 2; ++i) text += branch(depth) + ",\n";
    return text + "]);";
  }
  std::string branch(int depth) {
    return "(async () => {\n" + block(depth, 2) + "return last; })()";
  }

  std::string rare() {
    switch (x_dice.below(7)) {
      case 0:
        return "throw new RangeError('thrown');";
      case 1:
        return call("plain") + "; throw new RangeError('thrown after a request');";
      case 2:
        return "await new Promise(() => {});";
      case 3:
        return "ctx.halt('enough', hash(last));";
      case 4:
        return branch(0) + ";";
      case 5:
        return "return last;";
      default:
        return branch(0) + ".catch(() => {});";
    }
  }

  Dice& x_dice;
};

}  // namespace

uint64_t Dice::next() {
  x_state += 0x9e3779b97f4a7c15;
  uint64_t z = x_state;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}

std::string random_program(Dice& dice) {
  return std::string(kFixedPart) + Writer(dice).program() + "return [count, hash(last)];\n}\n";
}

std::string edited_program(const std::string& program, Dice& dice) {
  std::vector<size_t> places;
  for (size_t at = program.find(kStatement); at != std::string::npos;
       at = program.find(kStatement, at + 1)) {
    places.push_back(at);
  }
  auto edited = program;
  return edited.insert(places[dice.below(places.size())], Writer(dice).block(1, 1));
}

std::string own_part(const std::string& program) { return program.substr(kFixedPart.size()); }

}  // namespace reprise::test
