#include "engine/test_script.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <initializer_list>

#include "engine/post.h"
#include "journal/clock.h"
#include "journal/error.h"
#include "journal/json_reader.h"

namespace reprise {

namespace {

constexpr std::string_view kDefaultNow = "2026-01-01T00:00:00.000Z";

class Parser {
 public:
  explicit Parser(std::string what) : x_what(std::move(what)) {}

  TestScript script(std::string_view json) {
    TestScript script;
    JsonReader reader;
    const auto& members =
        object(reader, json, "", {"inputs", "now", "answers", "signals", "expect"});
    if (members.has("inputs")) script.inputs = value(members.raw("inputs"), "/inputs");
    const auto now = members.has("now") ? text(members, "now", "") : std::string(kDefaultNow);
    const auto now_ms = parse_time(now);
    if (!now_ms) fail("/now", "is a time, as " + std::string(kDefaultNow));
    script.now_ms = *now_ms;
    each(members, "answers", [&](std::string_view item, const std::string& at) {
      script.answers.push_back(answer(item, at));
    });
    each(members, "signals", [&](std::string_view item, const std::string& at) {
      script.signals.push_back(signal(item, at));
    });
    if (members.has("expect")) script.expect = expectation(members.raw("expect"));
    return script;
  }

 private:
  [[noreturn]] void fail(const std::string& at, const std::string& why) const {
    throw Error(Exit::kUsage, "INVALID_ANSWERS", x_what + ": " + at + " " + why,
                "the format: reprise schema answers");
  }

  const Members& object(JsonReader& reader, std::string_view json, const std::string& at,
                        std::initializer_list<std::string_view> known) const {
    if (!json.starts_with('{')) fail(at.empty() ? "/" : at, "is an object");
    const auto& members = reader.members_of_copy(json);
    for (const auto& member : members) {
      if (std::ranges::find(known, member.name) != known.end()) continue;
      fail(at + "/" + std::string(member.name), "has no meaning");
    }
    return members;
  }

  std::string text(const Members& members, std::string_view name, const std::string& at) const {
    const auto raw = members.raw(name);
    if (raw.empty()) return {};
    if (raw.size() <= 2 || raw.front() != '"') {
      fail(at + "/" + std::string(name), "is a text that is not empty");
    }
    return unquote(raw);
  }

  Value value(std::string_view raw, const std::string& at) const {
    return parse_value(raw, x_what + ": " + at);
  }

  template <typename Take>
  void each(const Members& members, const std::string& name, const Take& take) const {
    const auto raw = members.raw(name);
    if (raw.empty()) return;
    if (!raw.starts_with('[')) fail("/" + name, "is a list");
    size_t index = 0;
    for (const auto item : array_elements(raw)) {
      take(item, "/" + name + "/" + std::to_string(index++));
    }
  }

  ScriptedAnswer answer(std::string_view json, const std::string& at) const {
    JsonReader reader;
    const auto& members =
        object(reader, json, at, {"task", "label", "key", "kind", "times", "ok", "error"});
    ScriptedAnswer answer{.task = text(members, "task", at),
                          .label = text(members, "label", at),
                          .key = text(members, "key", at),
                          .kind = text(members, "kind", at)};
    if ((answer.task + answer.label + answer.key + answer.kind).empty()) {
      fail(at, "names no effect: give task, label, key or kind");
    }
    if (members.has("ok") == members.has("error")) fail(at, "has either ok or error");
    if (members.has("times")) answer.times = times(members.raw("times"), at + "/times");
    answer.ok = members.has("ok");
    answer.value = answer.ok ? value(members.raw("ok"), at + "/ok")
                             : parse_error_value(members.raw("error"), x_what + ": " + at);
    return answer;
  }

  uint64_t times(std::string_view raw, const std::string& at) const {
    uint64_t count = 0;
    const auto [stop, failed] = std::from_chars(raw.data(), raw.data() + raw.size(), count);
    if (failed != std::errc() || stop != raw.data() + raw.size() || count == 0) {
      fail(at, "is a positive whole number");
    }
    return count;
  }

  ScriptedSignal signal(std::string_view json, const std::string& at) const {
    JsonReader reader;
    const auto& members = object(reader, json, at, {"name", "value"});
    if (!members.has("name")) fail(at, "needs a name");
    return {text(members, "name", at),
            value(members.has("value") ? members.raw("value") : "null", at + "/value")};
  }

  Expectation expectation(std::string_view json) const {
    JsonReader reader;
    const auto& members = object(reader, json, "/expect", {"status", "output"});
    Expectation expect;
    if (members.has("status")) expect.status = text(members, "status", "/expect");
    constexpr std::array<std::string_view, 5> kStatuses = {"completed", "failed", "halted",
                                                           "cancelled", "waiting"};
    if (std::ranges::find(kStatuses, expect.status) == kStatuses.end()) {
      fail("/expect/status", "is completed, failed, halted, cancelled or waiting");
    }
    if (members.has("output")) expect.output = value(members.raw("output"), "/expect/output");
    return expect;
  }

  std::string x_what;
};

bool fits_name(const std::string& wanted, const std::string& name) {
  return wanted.empty() || wanted == name;
}

}  // namespace

bool ScriptedAnswer::fits(const OpenEffect& effect) const {
  return fits_name(task, effect.task) && fits_name(label, effect.label) &&
         fits_name(key, effect.key) && fits_name(kind, effect.kind);
}

TestScript parse_test_script(std::string_view text, const std::string& what) {
  return Parser(what).script(parse_value(text, what).text);
}

}  // namespace reprise
