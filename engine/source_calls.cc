#include "engine/source_calls.h"

#include <algorithm>
#include <array>
#include <iterator>
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
      if (is_ctx_call(i)) {
        look_at_options(i);
        look_at_promise(i);
      }
      if (x_walk.is(i, "forEach") && x_walk.is(i - 1, ".")) look_at_each(i);
      if (x_walk.is(i, "defineTask") && x_walk.is(i + 1, "(")) look_at_definition(i + 1);
    }
    return std::move(x_faults);
  }

 private:
  /// `ctx.name(` at its first token.
  bool is_ctx_call(size_t i) const {
    return (x_walk.is(i, x_ctx) || x_walk.is(i, "ctx")) && !x_walk.is(i - 1, ".") &&
           (x_walk.is(i + 1, ".") || x_walk.is(i + 1, "?.")) && x_walk.is_word(i + 2) &&
           x_walk.is(i + 3, "(");
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

  void look_at_options(size_t i) {
    const auto given = arguments(i + 3);
    if (x_walk.is(i + 2, "task")) add(task_option_faults(object(given, 2)));
    if (x_walk.is(i + 2, "breakpoint")) {
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
    const bool ends = x_walk.is(i - 1, ")") || x_walk.is(i - 1, "]") || x_walk.is_text(i - 1) ||
                      x_walk.is_word(i - 1);
    return ends && on_new_line(i) && !takes_value(x_walk.at(i - 1).text);
  }
  bool ends_statement(size_t i) const {
    return i >= x_walk.size() || x_walk.is(i, ";") || x_walk.is(i, "}") ||
           (x_walk.is_word(i) && on_new_line(i));
  }
  static bool takes_value(std::string_view word) {
    constexpr std::array<std::string_view, 14> kWords = {
        "return", "await", "void", "yield", "typeof", "new",     "delete",
        "case",   "in",    "of",   "else",  "do",     "default", "instanceof"};
    return std::ranges::find(kWords, word) != kWords.end();
  }

  /// A call whose promise is dropped where it is made; `void` says that this is meant.
  void look_at_promise(size_t i) {
    constexpr std::array<std::string_view, 7> kWaiting = {
        "task", "breakpoint", "sleepUntil", "signal", "run", "hook", "orchestratorTask"};
    const auto name = x_walk.at(i + 2).text;
    if (std::ranges::find(kWaiting, name) == kWaiting.end()) return;
    if (!begins_statement(i) || !ends_statement(x_walk.closing(i + 3) + 1)) return;
    const auto call = "ctx." + std::string(name);
    x_faults.push_back({place_at(x_source, x_walk.at(i).offset), "MISSING_AWAIT",
                        "nothing waits for this " + call + ": write `await " + call +
                            "(...)`, or `void " + call + "(...)` if that is meant"});
  }

  void look_at_each(size_t i) {
    if (!x_walk.is(i + 1, "(") || !x_walk.is(i + 2, "async")) return;
    const auto close = x_walk.closing(i + 1);
    bool waits = false;
    for (size_t j = i + 3; j < close; ++j) waits = waits || x_walk.is(j, "await");
    if (!waits) return;
    x_faults.push_back({place_at(x_source, x_walk.at(i).offset), "MISSING_AWAIT",
                        "forEach does not wait for an async function: write `for (const item of "
                        "list) { await ... }`, or `await ctx.parallel.map(list, ...)`"});
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
