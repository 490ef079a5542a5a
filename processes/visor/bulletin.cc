#include "processes/visor/bulletin.h"

#include "unicode/unicode.h"

namespace reprise::visor {

namespace {

/// Texts without spaces are bounded by their characters: so many for each word.
constexpr size_t kCharactersPerWord = 12;
constexpr size_t kNoteCharacters = 160;
constexpr std::string_view kSpace = " \t\r\n\f\v";

std::string counted(int64_t number, const char* one, const char* many) {
  return std::to_string(number) + " " + (number == 1 ? one : many);
}

/// One line, and no longer than it must be to be recognised.
std::string short_note(const std::string& note) {
  const auto trimmed = unicode::trimmed(note);
  std::string text(unicode::first(trimmed, kNoteCharacters));
  if (text.size() < trimmed.size()) text += "…";
  for (char& c : text) c = c == '\n' || c == '\r' || c == '\t' ? ' ' : c;
  return text;
}

std::string operational_line(const Tick& tick) {
  std::string line = "Active channels: " + std::to_string(tick.channels) +
                     " | Workers in progress: " + std::to_string(tick.open_workers) + " / " +
                     std::to_string(tick.all_workers) + " total";
  if (tick.questions > 0) line += " | Waiting for people: " + std::to_string(tick.questions);
  return line;
}

/// One line: "Active tasks: Project P: [c1] title (status), ...; Project Q: ...".
std::string card_line(const Tick& tick) {
  std::string line;
  std::string project;
  for (const auto& card : tick.cards) {
    if (line.empty() || card.project != project) {
      line += (line.empty() ? "\nActive tasks: Project " : "; Project ") +
              short_note(card.project) + ": ";
    } else {
      line += ", ";
    }
    line += "[" + card.id + "] " + short_note(card.title) + " (" + card.status + ")";
    project = card.project;
  }
  return line;
}

/// A line for each section, in the order in which they first come.
std::string memory_lines(const Tick& tick) {
  std::string lines;
  std::string section;
  for (const auto& named : tick.memories) {
    lines += named.section == section ? "; " : "\n" + named.section + ": ";
    lines += short_note(named.note);
    section = named.section;
  }
  return lines;
}

}  // namespace

std::string state_of(const Tick& tick) {
  auto state = std::to_string(tick.channels) + "|" + std::to_string(tick.open_workers) + "/" +
               std::to_string(tick.all_workers) + "|" + std::to_string(tick.questions);
  for (const auto& card : tick.cards) state += "|" + card.id + " " + card.status;
  return state;
}

bool is_quiet(const Tick& tick) {
  return tick.channels == 0 && tick.all_workers == 0 && tick.questions == 0 && tick.cards.empty();
}

Json draft_bulletin(const Tick& tick, const std::string& id) {
  auto refs = Json::array();
  for (const auto& named : tick.memories) refs.push_back(named.id);
  return {{"bulletinId", id},
          {"headline",
           "Runtime bulletin: " + counted(tick.channels, "active channel", "active channels") +
               ", " + counted(tick.open_workers, "worker", "workers") + " in progress"},
          {"digest", cut_to_words(operational_line(tick) + card_line(tick) + memory_lines(tick),
                                  tick.settings.bulletin_words)},
          {"state", state_of(tick)},
          {"maxWords", tick.settings.bulletin_words},
          {"memoryRefs", std::move(refs)}};
}

std::string writing_prompt(const Json& draft, int64_t most_words) {
  return "Write the bulletin of this home for the agents that work in it: what goes on, what was "
         "decided, what is aimed at. Use only what stands below. At most " +
         std::to_string(most_words) + " words, plain text, nothing but the bulletin.\n\n" +
         draft.at("digest").get<std::string>();
}

std::string cut_to_words(std::string_view text, int64_t most) {
  const auto whole = unicode::trimmed(text);
  auto kept = unicode::first(whole, static_cast<size_t>(most) * kCharactersPerWord);
  size_t end = 0;
  for (int64_t words = 0; words < most; ++words) {
    const auto begin = kept.find_first_not_of(kSpace, end);
    if (begin == std::string_view::npos) break;
    end = std::min(kept.find_first_of(kSpace, begin), kept.size());
  }
  kept = kept.substr(0, end);
  return std::string(kept) + (kept.size() < whole.size() ? "…" : "");
}

int64_t count_words(std::string_view text) {
  int64_t words = 0;
  for (size_t at = text.find_first_not_of(kSpace); at != std::string_view::npos; ++words) {
    at = text.find_first_not_of(kSpace, text.find_first_of(kSpace, at));
  }
  return words;
}

}  // namespace reprise::visor
