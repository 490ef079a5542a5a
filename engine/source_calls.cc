#include "engine/source_calls.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <optional>
#include <utility>

#include "engine/source_walk.h"

namespace reprise {

namespace {

class Calls {
 public:
  Calls(std::string_view source, const std::vector<SourceToken>& tokens, std::string_view ctx)
      : x_source(source), x_walk(tokens), x_ctx(ctx) {}

  std::vector<ShapeFault> find() && {
    for (size_t i = 0; i < x_walk.size(); ++i) {
      if (const auto call = ctx_call(i)) {
        look_at_options(*call);
        if (waits(*call)) look_at_promise(i, *call);
      }
      if (x_walk.is(i, "forEach") && x_walk.is(i - 1, ".")) look_at_each(i);
      if (x_walk.is(i, "defineTask") && x_walk.is(i + 1, "(")) look_at_definition(i + 1);
    }
    return std::move(x_faults);
  }

 private:
  struct Call {
    std::string name;  ///< "task", "parallel.map"
    size_t open;       ///< its bracket
  };

  bool is_access(size_t i) const {
    return (x_walk.is(i, ".") || x_walk.is(i, "?.")) && x_walk.is_word(i + 1);
  }

  /// `ctx.name(` or `ctx.group.name(` at its first token.
  std::optional<Call> ctx_call(size_t i) const {
    const bool is_ctx = x_walk.is(i, x_ctx) || x_walk.is(i, "ctx");
    if (!is_ctx || x_walk.is(i - 1, ".") || !is_access(i + 1)) return std::nullopt;
    std::string name(x_walk.at(i + 2).text);
    size_t open = i + 3;
    if (is_access(open)) {
      name += "." + std::string(x_walk.at(open + 1).text);
      open += 2;
    }
    if (!x_walk.is(open, "(")) return std::nullopt;
    return Call{std::move(name), open};
  }

  /// Whether what it returns is a promise.
  static bool waits(const Call& call) {
    constexpr std::array<std::string_view, 10> kWaiting = {
        "task", "breakpoint",       "sleepUntil",   "signal",       "run",
        "hook", "orchestratorTask", "parallel.all", "parallel.map", "memory.recall"};
    return std::ranges::find(kWaiting, call.name) != kWaiting.end();
  }

  void add(std::vector<ShapeFault> faults) {
    std::move(faults.begin(), faults.end(), std::back_inserter(x_faults));
  }

  /// Where the arguments of the call begin.
  std::vector<size_t> arguments(size_t open) const {
    std::vector<size_t> begins;
    const auto close = x_walk.closing(open);
    for (size_t i = open + 1; i < close; i = x_walk.end_of_item(i) + 1) begins.push_back(i);
    return begins;
  }

  /// The object that an argument is; without members when it is none that is written out.
  ObjectShape object(const std::vector<size_t>& arguments, size_t index) const {
    if (index >= arguments.size() || !x_walk.is(arguments[index], "{")) return {};
    return shape_of_source(x_source, x_walk, arguments[index]);
  }

  void look_at_options(const Call& call) {
    const auto given = arguments(call.open);
    if (call.name == "task") add(task_option_faults(object(given, 2)));
    if (call.name == "parallel.all") add(parallel_option_faults(object(given, 1)));
    if (call.name == "parallel.map") add(parallel_option_faults(object(given, 2)));
    if (call.name == "breakpoint") {
      add(payload_faults(object(given, 0)));
      add(breakpoint_option_faults(object(given, 1)));
    }
  }

  bool on_new_line(size_t i) const {
    const auto from = x_walk.at(i - 1).offset;
    return x_source.substr(from, x_walk.at(i).offset - from).find('\n') != std::string_view::npos;
  }

  /// Whether the token at `i` can begin a statement: behind the end of another, marked or not.
  bool begins_statement(size_t i) const {
    if (i == 0 || x_walk.is(i - 1, ";") || x_walk.is(i - 1, "{") || x_walk.is(i - 1, "}")) {
      return true;
    }
    // On one line a name can only stand behind a bracket of `for (...)` and the like.
    if (x_walk.is(i - 1, ")") || x_walk.is(i - 1, "else") || x_walk.is(i - 1, "do")) return true;
    const bool ends = x_walk.is(i - 1, "]") || x_walk.is_text(i - 1) || x_walk.is_word(i - 1);
    return ends && on_new_line(i) && !takes_value(x_walk.at(i - 1).text);
  }
  bool ends_statement(size_t i) const {
    return i >= x_walk.size() || x_walk.is(i, ";") || x_walk.is(i, "}") ||
           (x_walk.is_word(i) && on_new_line(i));
  }
  static bool takes_value(std::string_view word) {
    constexpr std::array<std::string_view, 12> kWords = {
        "return", "await", "void", "yield", "typeof",  "new",
        "delete", "case",  "in",   "of",    "default", "instanceof"};
    return std::ranges::find(kWords, word) != kWords.end();
  }

  void look_at_promise(size_t i, const Call& call) {
    const auto text = "ctx." + call.name;
    const auto after = x_walk.closing(call.open) + 1;
    if (begins_statement(i) && ends_statement(after)) {
      add_missing_await(i, "nothing waits for this " + text + ": write `await " + text +
                               "(...)`, or `void " + text + "(...)` if that is meant");
    } else if (is_only_read(i, after)) {
      add_missing_await(i, "this " + text +
                               " is a promise, which has no such member as is read of it, and "
                               "nothing waits for it: write `await " +
                               text + "(...)`");
    }
  }

  void add_missing_await(size_t i, std::string message) {
    x_faults.push_back(
        {place_at(x_source, x_walk.at(i).offset), "MISSING_AWAIT", std::move(message)});
  }

  /// `const r = ctx.task(...)`, where members of r are read and nothing else is done with it.
  bool is_only_read(size_t i, size_t after) const {
    if (i < 3 || !x_walk.is(i - 1, "=") || !x_walk.is_word(i - 2)) return false;
    if (!x_walk.is(i - 3, "const") && !x_walk.is(i - 3, "let")) return false;
    if (!ends_statement(after) && !x_walk.is(after, ",")) return false;
    const auto name = x_walk.at(i - 2).text;
    const auto [begin, end] = block_around(i);
    size_t reads = 0;
    for (size_t j = begin; j < end; ++j) {
      if (j == i - 2 || !x_walk.is(j, name) || is_member_name(j)) continue;
      if (!is_access(j + 1) || is_promise_member(x_walk.at(j + 2).text)) return false;
      ++reads;
    }
    return reads > 0;
  }

  /// Behind a dot, but not behind the three of `...all`.
  bool is_member_name(size_t i) const {
    return x_walk.is(i - 1, "?.") || (x_walk.is(i - 1, ".") && !x_walk.is(i - 2, "."));
  }

  static bool is_promise_member(std::string_view name) {
    return name == "then" || name == "catch" || name == "finally";
  }

  /// Between the braces around the token at `i`.
  std::pair<size_t, size_t> block_around(size_t i) const {
    for (size_t begin = i; begin-- > 0;) {
      if (!x_walk.is(begin, "{")) continue;
      if (const auto end = x_walk.closing(begin); end > i) return {begin, end};
    }
    return {0, x_walk.size()};
  }

  void look_at_each(size_t i) {
    if (!x_walk.is(i + 1, "(") || !x_walk.is(i + 2, "async")) return;
    const auto close = x_walk.closing(i + 1);
    bool waits = false;
    for (size_t j = i + 3; j < close; ++j) waits = waits || x_walk.is(j, "await");
    if (!waits) return;
    add_missing_await(i,
                      "forEach does not wait for an async function: write `for (const item of "
                      "list) { await ... }`, or `await ctx.parallel.map(list, ...)`");
  }

  /// A definition is what has a kind and stands where a builder returns, or as an argument.
  void look_at_definition(size_t open) {
    const auto given = arguments(open);
    std::string task = x_walk.is_text(open + 1) ? std::string(x_walk.at(open + 1).text) : "";
    const auto close = x_walk.closing(open);
    for (size_t i = open + 1; i < close; ++i) {
      if (!x_walk.is(i, "{")) continue;
      const bool returned =
          x_walk.is(i - 1, "return") || (x_walk.is(i - 1, "(") && x_walk.is(i - 2, "=>"));
      const bool argument = std::find(given.begin(), given.end(), i) != given.end();
      if (!returned && !argument) continue;
      auto shape = shape_of_source(x_source, x_walk, i);
      if (const auto* id = shape.find("id"); argument && task.empty() && id != nullptr) {
        task = id->text;
      }
      if (shape.find("kind") == nullptr) continue;
      if (shape.find("run") != nullptr) shape.open = true;  // it returns the rest
      add(definition_faults(task, shape));
    }
  }

  std::string_view x_source;
  const SourceWalk x_walk;
  std::string_view x_ctx;
  std::vector<ShapeFault> x_faults;
};

}  // namespace

std::vector<ShapeFault> find_call_faults(std::string_view source,
                                         const std::vector<SourceToken>& tokens,
                                         std::string_view ctx) {
  return Calls(source, tokens, ctx).find();
}

}  // namespace reprise
