// Files that people write and words that they type: config.json with its comments, --set, and the
// list of trusted homes. They are understood or refused with exit 2, and an edit changes what it
// says and nothing else.
//
// The lines in front of "---" are values of --set; the rest is the file.
#include <array>
#include <fstream>

#include "engine/executors/config_edit.h"
#include "engine/home/config.h"
#include "engine/home/config_text.h"
#include "engine/home/trust.h"
#include "journal/error.h"
#include "tests/fuzz/input.h"
#include "tests/fuzz/target.h"
#include "tests/journal/temp_dir.h"

namespace reprise::fuzz {

namespace {

using Json = nlohmann::json;

constexpr std::array<std::string_view, 36> kWords = {
    "// a comment\n",
    "/* another */",
    "/*",
    "//",
    "\n---\n",
    "drive.jobs=8\n",
    "drive.jobs=x\n",
    "drive.lease=1h\n",
    "policy.network=false\n",
    "policy.roots=[\"/\"]\n",
    "policy.timeouts.shell=5m\n",
    "executors.x.type=shell\n",
    "executors.a/b.type=shell\n",
    "=\n",
    "\"drive\":{\"jobs\":8}",
    "\"drive\":{\"minFreeBytes\":\"1GiB\"}",
    "\"executors\":{",
    "\"a/b\":{\"type\":\"shell\"}",
    "\"~\":{\"type\":\"mock\"}",
    "\"type\":\"command\"",
    "\"command\":[\"x\"]",
    "\"type\":\"openai\",\"baseUrl\":\"http://x\"",
    "\"match\":[{\"kind\":\"agent\",\"executor\":\"shell\"}]",
    "\"executor\":\"nobody\"",
    "\"policy\":{\"timeouts\":{\"*\":\"1h\"}}",
    "\"$schema\":\"x\"",
    "{",
    "}",
    "[",
    "]",
    ",",
    ":",
    "Infinity",
    "'x'",
    "\xff",
    "{\"schemaVersion\":\"reprise.trust.1\",\"homes\":{"};

/// Refused with exit 2, or done.
template <typename Action>
bool understood(Action action) {
  try {
    action();
    return true;
  } catch (const Error& error) {
    expect(error.exit() == Exit::kUsage, "a configuration is refused with exit 2");
    expect(!error.message().empty(), "a refusal says why");
    return false;
  }
}

/// A folder for one input.
class Folder : public TempDir {
 public:
  std::string put(const std::string& name, std::string_view text) const {
    auto file = path() + "/" + name;
    std::ofstream(file, std::ios::binary) << text;
    return file;
  }
};

std::optional<ConfigLayer> parsed(const std::string& text) {
  std::optional<ConfigLayer> layer;
  understood([&] { layer = parse_config_text("config.json", text); });
  return layer;
}

void check_text(const std::string& text) {
  const auto layer = parsed(text);
  if (!layer) return;
  expect(layer->values.is_object(), "a configuration is an object");
  for (const auto& [pointer, line] : layer->lines) {
    expect(layer->values.contains(Json::json_pointer(pointer)), "a line is that of a value");
    expect(line >= 1, "lines are counted from 1");
  }
}

/// Refused, or the text with the change that is meant.
template <typename Edit, typename Change>
void check_edit(const std::string& text, Edit edit, Change change, Subject subject) {
  std::string edited;
  if (!understood([&] { edited = edit(); })) return;
  if (subject == Subject::kBroken && !edited.empty()) edited.pop_back();
  const auto before = parsed(text);
  if (!before) return;
  auto meant = before->values;
  change(meant);
  const auto after = parsed(edited);
  expect(after && after->values == meant, "an edit does what it should, and nothing else");
}

void check_edits(const std::string& text, Subject subject) {
  check_edit(
      text, [&] { return add_config_member(text, "executors", "new executor", "{\"type\":1}"); },
      [](Json& meant) {
        meant["executors"].emplace("new executor", Json{{"type", 1}});
      },
      subject);
  check_edit(
      text, [&] { return add_config_element(text, "match", "{\"kind\":\"x\"}"); },
      [](Json& meant) {
        auto& rules = meant["match"];
        if (!rules.is_array()) rules = Json::array();
        rules.insert(rules.begin(), Json{{"kind", "x"}});
      },
      subject);
}

std::string told(const Config& config) {
  std::string text;
  for (const auto& setting : config.settings) {
    expect(Json::accept(setting.json), "a setting is JSON");
    text += setting.key + " = " + setting.json + " (" + setting.origin + ")\n";
  }
  return text;
}

void check_load(const Folder& folder, const std::string& text, std::vector<std::string> set) {
  const ConfigSources sources{.user_file = {},
                              .home_file = folder.put("config.json", text),
                              .environment = {},
                              .set = std::move(set)};
  std::string once;
  if (!understood([&] { once = told(load_config(sources)); })) return;
  expect_equal(told(load_config(sources)), once, "a configuration is loaded the same twice");
}

/// As a list of trusted homes, and as the configuration of a home that has changed since.
void check_trust_of(const Folder& folder, const std::string& text) {
  folder.put("trust.json", text);
  TrustStore store(folder.path());
  understood([&] { store.find(folder.path()); });
  const HomePlace home{folder.path(), FoundBy::kAncestor};
  understood([&] { judge_home(home, store); });
  FixedClock clock(1'767'225'600'000);
  const std::string seen = R"({"drive":{"jobs":2},"match":[]})";
  if (text == seen) return;
  understood([&] { store.trust(folder.path(), seen, clock); });
  understood([&] { expect(!is_trusted(judge_home(home, store).trust), "a changed home is not"); });
}

void check(std::string_view bytes, Subject subject) {
  const auto mark = bytes.find("---\n");
  Input input(bytes);
  std::vector<std::string> set;
  if (mark != std::string_view::npos) {
    for (Input words(input.until("---\n")); !words.at_end();) set.emplace_back(words.line());
  }
  const std::string text(input.rest());
  check_text(text);
  check_edits(text, subject);
  const Folder folder;
  check_load(folder, text, std::move(set));
  check_trust_of(folder, text);
}

}  // namespace

const Target kTarget{"configs", kWords, check};

}  // namespace reprise::fuzz
