#include "engine/heartbeat/last_beat.h"

#include "engine/json_writer.h"
#include "journal/clock.h"
#include "journal/error.h"
#include "journal/files.h"
#include "journal/json_reader.h"
#include "journal/real_files.h"

namespace reprise {

namespace {

constexpr const char* kLastBeatFile = "heartbeat.json";

}  // namespace

void write_last_beat(const std::string& home_path, const LastBeat& beat) {
  const auto text = JsonWriter()
                        .text("at", format_time(beat.at_ms))
                        .number("runs", beat.runs)
                        .number("chores", beat.chores)
                        .number("errors", beat.errors)
                        .raw("troubles", array_json(beat.troubles, quote))
                        .done() +
                    "\n";
  try {
    if (const auto home = open_real_dir(home_path, false))
      replace_file(*home, kLastBeatFile, text, false);
  } catch (const Error&) {
    return;  // what it did is recorded elsewhere
  }
}

std::optional<LastBeat> read_last_beat(const std::string& home_path) {
  try {
    const auto home = open_real_dir(home_path, false);
    if (!home) return std::nullopt;
    const auto text = read_file(*home, kLastBeatFile);
    if (!text) return std::nullopt;
    JsonReader reader;
    const auto& members = reader.members_of_copy(*text);
    const auto at = parse_time(members.text("at"));
    if (!at) return std::nullopt;
    LastBeat beat{*at, members.number("runs"), members.number("chores"), members.number("errors")};
    for (const auto trouble : array_elements(members.raw("troubles"))) {
      beat.troubles.push_back(unquote(trouble));
    }
    return beat;
  } catch (const Error&) {
    return std::nullopt;
  }
}

}  // namespace reprise
