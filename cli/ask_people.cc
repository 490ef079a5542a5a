#include "cli/ask_people.h"

#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <array>

#include "cli/streams.h"
#include "cli/text.h"
#include "engine/answer.h"
#include "journal/ids.h"

namespace reprise {
namespace {

constexpr size_t kAskedPayloadWidth = 400;
constexpr std::string_view kPrompt =
    "  y yes, n no, either with a comment behind it; s leaves it pending > ";

std::string asked_title(const Approval& approval) {
  const OpenEffect& effect = approval.effect.request;
  if (!effect.held.empty()) return "let " + effect.label + " go on (" + effect.held + ")?";
  return approval.question.empty() ? effect.label : approval.question;
}

// Whether what was typed can be read, without waiting.
bool has_input() {
  pollfd input{STDIN_FILENO, POLLIN, 0};
  return ::poll(&input, 1, 0) == 1;
}

}  // namespace

bool AskPeople::look(std::span<const DrivenRun> runs) {
  if (x_closed) return false;
  const auto asked =
      std::ranges::find_if(runs, [this](const auto& run) { return run.name == x_run; });
  const bool open = asked != runs.end() && asked->state.open.contains(x_effect);
  if (!x_run.empty() && !open) {
    write_out("  it is settled meanwhile\n");
    x_run.clear();
  }
  if (x_run.empty()) return show_next(runs);
  while (has_input()) {
    std::array<char, 1024> buffer{};
    const ssize_t size = ::read(STDIN_FILENO, buffer.data(), buffer.size());
    if (size <= 0) {
      x_closed = true;
      write_out("\n");
      return false;
    }
    x_typed.append(buffer.data(), static_cast<size_t>(size));
    const size_t end = x_typed.find('\n');
    if (end == std::string::npos) continue;
    const std::string line = x_typed.substr(0, end);
    x_typed.erase(0, end + 1);
    take(line, asked->dir);
    break;
  }
  return true;
}

bool AskPeople::show_next(std::span<const DrivenRun> runs) {
  JsonReader reader;
  for (const DrivenRun& run : runs) {
    if (run.state.end || run.state.paused) continue;
    for (const auto& [id, effect] : run.state.open) {
      if (!asks_people(effect)) continue;
      const Approval approval = load_approval(run.dir, effect_info(run.dir, effect), reader);
      if (x_skipped.contains(approval.digest)) continue;
      x_run = run.name;
      x_effect = id;
      x_digest = approval.digest;
      std::string out = paint(x_style, Colour::kYellow, "asked") + "  " + shown(run.name) + " " +
                        paint(x_style, Colour::kBold, format_effect_id(id)) + "  " +
                        shown(asked_title(approval)) + "\n";
      if (!approval.payload.empty() && approval.payload != "{}" && approval.payload != "null") {
        out += "       " + shown(approval.payload, kAskedPayloadWidth) + "\n";
      }
      write_out(out + std::string(kPrompt));
      return true;
    }
  }
  return false;
}

void AskPeople::take(const std::string& line, Dir& dir) {
  bool settled = false;
  try {
    settled = answer(line, dir);
  } catch (const Error& error) {
    write_out("  " + shown(error.message()) + "\n");
  }
  if (settled) {
    x_run.clear();
  } else {
    write_out(kPrompt);
  }
}

// True when the question is done with.
bool AskPeople::answer(const std::string& line, Dir& dir) {
  const size_t begin = line.find_first_not_of(" \t");
  if (begin == std::string::npos) return false;
  const size_t space = std::min(line.find_first_of(" \t", begin), line.size());
  const std::string word = line.substr(begin, space - begin);
  const size_t rest = line.find_first_not_of(" \t", space);
  if (word == "s" || word == "skip") {
    x_skipped.insert(x_digest);
    return true;
  }
  const bool yes = word == "y" || word == "yes";
  if (!yes && word != "n" && word != "no") return false;
  Answer given;
  given.effect.id = x_effect;
  given.approved = yes;
  given.by = x_session.context().author.user;
  given.comment = rest == std::string::npos ? "" : line.substr(rest);
  given.expect = x_digest;
  given.inside_executor = !environment("REPRISE_EFFECT").empty();
  parse_value(quote(given.comment), "the comment");
  const Answered answered = answer_approval(dir, x_session.context(), given);
  if (!answered.settled) {
    write_out("  " + counted(answered.missing, "more person", "more people") + " must approve\n");
    x_skipped.insert(x_digest);
  }
  return true;
}

}  // namespace reprise
