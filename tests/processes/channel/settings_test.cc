// Settings are judged in two places, by the home when it reads config.json and by the channel when
// it is told them. Here the two are held together.
#include "processes/channel/settings.h"

#include <catch2/catch.hpp>

#include "engine/home/config_schema.h"

namespace reprise::channel {
namespace {

/// The member that the text names: "a.b" = value.
Json nested(const std::string& path, const Json& value) {
  const auto dot = path.find('.');
  if (dot == std::string::npos) return {{path, value}};
  return {{path.substr(0, dot), nested(path.substr(dot + 1), value)}};
}

bool home_takes(const Json& settings) {
  return !ConfigSchema().find_problem({{"channels", settings}});
}

TEST_CASE("The defaults of the channel are those of the home") {
  auto home = ConfigSchema().defaults().at("channels");
  CHECK(home.at("permissions") ==
        Json::parse(R"({"owners":{"users":[],"roles":[]},"members":{"users":[],"roles":[]}})"));
  CHECK(Settings::check(home).empty());
  home.erase("permissions");
  CHECK(Settings().shown() == home);
}

TEST_CASE("What the home takes the channel takes, and what it refuses the channel refuses") {
  const std::vector<Json> values = {true,
                                    0,
                                    1,
                                    8,
                                    50,
                                    10'000,
                                    0.5,
                                    1.0,
                                    1.5,
                                    -1,
                                    9e99,
                                    "",
                                    "keyword",
                                    "direct",
                                    "word",
                                    std::string(300, 'x'),
                                    Json::array(),
                                    Json({"a", "b"}),
                                    Json({1}),
                                    Json({""}),
                                    Json({30, 50, 70}),
                                    Json({30, 50}),
                                    Json({0, 50, 100}),
                                    Json::object(),
                                    Json{{"x", 1}}};
  std::vector<std::string> paths = {
      "routing",  "agent",  "permissions", "permissions.owners", "compactor",
      "sessions", "memory", "unknown",     "routing.unknown",    "compactor.unknown"};
  const auto shown = Settings().shown();
  for (const auto& [name, value] : shown.items()) {
    if (!value.is_object()) paths.push_back(name);
    if (!value.is_object()) continue;
    for (const auto& member : value.items()) paths.push_back(name + "." + member.key());
  }
  paths.emplace_back("permissions.owners.users");
  paths.emplace_back("permissions.members.roles");
  for (const auto& path : paths) {
    for (const auto& value : values) {
      INFO(path << " = " << value.dump());
      const auto settings = nested(path, value);
      CHECK(Settings::check(settings).empty() == home_takes(settings));
    }
  }
}

TEST_CASE("What is set shows, and a list of levels is kept in order") {
  Settings settings;
  const Json payload = {
      {"configured", {{"sessions", {{"autoCloseEnabled", true}}}, {"agent", {{"name", "bot"}}}}},
      {"settings", {{"compactor", {{"soft", 0.9}, {"reductions", {10, 20, 30}}}}}}};
  settings.evolve({"channel.configured", payload, 0});
  CHECK(settings.auto_close);
  CHECK(settings.agent_id == "bot");
  REQUIRE(settings.levels.size() == 3);
  CHECK(settings.levels[0].name == "soft");
  CHECK(settings.levels[1].name == "aggressive");
  CHECK(settings.levels[0].reduction_percent == 10);
  CHECK(settings.shown().at("compactor").at("reductions") == Json{10, 20, 30});
  Settings other;
  other.restore(settings.to_json());
  CHECK(other.shown() == settings.shown());
}

}  // namespace
}  // namespace reprise::channel
