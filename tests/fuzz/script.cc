// Values and errors that cross into a script and back: what comes out is what went in, and whatever
// goes in, the module itself never fails.
//
// Each line is an activation: "value JSON" resolves the effect that the script waits for, "error
// JSON" rejects it, "cancel JSON" cancels it, "signal JSON" sends what it awaits as well.
#include <array>
#include <nlohmann/json.hpp>
#include <optional>

#include "journal/error.h"
#include "journal/value.h"
#include "tests/fuzz/input.h"
#include "tests/fuzz/target.h"
#include "tests/processes/script/harness.h"

namespace reprise::fuzz {

namespace {

constexpr std::array<std::string_view, 26> kWords = {"\nvalue ",
                                                     "\nerror ",
                                                     "\ncancel ",
                                                     "\nsignal ",
                                                     "{\"__proto__\":{\"x\":1}}",
                                                     "\"then\":1",
                                                     "\"constructor\":null",
                                                     "\"toJSON\":1",
                                                     "\"length\":-1",
                                                     "\"0\":1",
                                                     "\"name\":\"Error\"",
                                                     "\"message\":\"x\"",
                                                     "\"stack\":\"a\\nb\"",
                                                     "\"data\":{\"a\":[1]}",
                                                     "\"cause\":{}",
                                                     "\"name\":\"__proto__\"",
                                                     "\\u2028",
                                                     "\\u0000",
                                                     "\\ud83d\\ude00",
                                                     "5e-324",
                                                     "1e21",
                                                     "-0",
                                                     "0.1",
                                                     "9007199254740992",
                                                     "null",
                                                     "[[[[[[[["};

/// Says what it was given and asks again, until it has seen everything.
constexpr const char* kEcho = R"(
  for (let i = 0; ; i++) {
    try {
      const got = await Promise.race([ctx.task(work, { i }), ctx.signal('told')]);
      ctx.emit('got', { got });
    } catch (error) {
      ctx.emit('caught', { name: String(error.name), message: String(error.message),
                           data: error.data });
    }
  })";

std::optional<Value> value_of(std::string_view json) {
  try {
    return parse_value(json, "the line");
  } catch (const Error&) {
    return std::nullopt;  // task:post refuses it: it never gets to a script
  }
}

/// Numbers as a script has them: doubles, and one zero, which JSON.stringify prints as "0". How it
/// prints the large ones is its own way: 2^64 is 18446744073709552000.
void as_script_has_it(nlohmann::json& value) {
  if (value.is_number()) value = value.get<double>() + 0.0;
  if (!value.is_structured()) return;
  for (auto& member : value) as_script_has_it(member);
}

std::string told(std::string_view json) {
  auto value = nlohmann::json::parse(json);
  as_script_has_it(value);
  return value.dump();
}

class Echo {
 public:
  explicit Echo(Subject subject) : x_subject(subject), x_script(test::process_of(kEcho)) {
    x_script.start();
    expect_well();
  }

  bool waits() const { return x_effect != 0; }

  void tell(std::string_view verb, const Value& value) {
    if (verb == "value") {
      x_script.resolve(x_effect, value.text);
    } else if (verb == "signal") {
      x_script.signal("told", value.text);
    } else if (!nlohmann::json::parse(value.text).is_object()) {
      return;  // errors are objects: task:post makes them so
    } else if (verb == "error") {
      x_script.reject(x_effect, value.text);
    } else {
      x_script.cancel(x_effect, value.text);
    }
    const bool is_value = verb == "value" || verb == "signal";
    expect_well();
    for (const auto& command : x_script.commands()) {
      if (command.kind == REPRISE_EMIT && is_value) expect_same(command, value);
    }
  }

 private:
  void expect_well() {
    x_effect = 0;
    expect_equal(x_script.status(), "OK", "the module does not fail");
    expect_equal(x_script.check(), "OK", "the script stays within its budgets");
    for (const auto& command : x_script.commands()) {
      if (command.kind == REPRISE_REQUEST) x_effect = command.effect;
      if (!command.json.empty()) told(command.json);
      if (!command.args.empty()) told(command.args);
    }
  }

  void expect_same(const test::CommandCopy& command, const Value& value) const {
    const auto got = told(command.json);
    auto given = told(R"({"got":)" + value.text + "}");
    if (x_subject == Subject::kBroken) std::erase(given, '.');
    expect_equal(got, given, "a script gives back what it was given");
  }

  Subject x_subject;
  test::Script x_script;
  uint64_t x_effect = 0;
};

void check(std::string_view bytes, Subject subject) {
  Echo echo(subject);
  Input input(bytes);
  for (int lines = 0; !input.at_end() && echo.waits() && lines < 16; ++lines) {
    Input line(input.line());
    const auto verb = line.word();
    if (const auto value = value_of(line.rest())) echo.tell(verb, *value);
  }
}

}  // namespace

const Target kTarget{"script", kWords, check};

}  // namespace reprise::fuzz
