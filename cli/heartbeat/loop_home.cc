#include "cli/heartbeat/loop_home.h"

#include <algorithm>
#include <array>
#include <utility>

#include "cli/iteration.h"
#include "cli/text.h"
#include "engine/family.h"
#include "journal/clock.h"
#include "journal/ids.h"

namespace reprise {
namespace {

constexpr std::array kLoopTimes = {"created", "next",   "lastRun", "began",      "changed",
                                   "opened",  "raised", "since",   "lastWindow", "lastSeen"};
constexpr size_t kEntryTitleWidth = 40;
constexpr size_t kEntryTextWidth = 100;

bool is_loop_time(const std::string& name) {
  return std::ranges::any_of(kLoopTimes, [&](const char* time) { return name == time; });
}

struct State {
  std::string_view name;
  std::string_view shown;
  Colour colour;
};
/// The seed's colours, as far as a terminal has them: amber is yellow, coral red.
constexpr std::array kStates = {State{"in_progress", "in progress", Colour::kBlue},
                                State{"acted", "acted", Colour::kGreen},
                                State{"skipped", "skipped", Colour::kDim},
                                State{"awaiting_approval", "awaiting approval", Colour::kYellow},
                                State{"failed", "failed", Colour::kRed},
                                State{"cancelled", "cancelled", Colour::kDim},
                                State{"dismissed", "dismissed", Colour::kDim}};

}  // namespace

LoopHome::LoopHome(const Arguments& arguments, const Session& session, bool writes)
    : x_arguments(arguments),
      x_session(session),
      x_workspace(session.workspace(writes)),
      x_wanted(subconscious_run(arguments.value("--name").value_or(""), arguments.has("--now"))) {
  if (valid_run_id(x_wanted.name)) return;
  throw Error(
      Exit::kUsage, "INVALID_ARGUMENT",
      "--name: \"" + shown(*arguments.value("--name"), 80) + "\" cannot be part of a run id",
      "letters, digits, points, _ and -");
}

RunHandle LoopHome::open() { return open_home_run(x_workspace, x_session.context(), x_wanted); }

Document LoopHome::ask(Document question, Past past) {
  const auto run = find();
  if (!run) return nullptr;
  question["at"] = now_ms();
  auto answer =
      Document::parse(reprise::ask(*run->dir, x_session.context(), print_json(question), past));
  date_answer(answer);
  return answer;
}

Document LoopHome::tell(const std::string& signal, const Document& value,
                        const Document& question) {
  const auto run = open();
  const Neighbours neighbours(run);
  const Signal given{.name = signal,
                     .value = parse_value(print_json(value), signal),
                     .key = x_arguments.value("--key").value_or("")};
  const auto told =
      tell_among(neighbours.folder(), run.name, *run.dir, x_session.context(), {given},
                 After::kIterate, question.is_null() ? "" : print_json(question));
  Document document = new_document();
  document["runId"] = run.name;
  document["recorded"] = told.signals.front().recorded;
  if (!question.is_null()) {
    document["answer"] = Document::parse(told.answer);
    date_answer(document["answer"]);
  }
  return document;
}

void date_answer(Document& answer) {
  if (answer.is_array()) {
    for (Document& element : answer) date_answer(element);
  }
  if (!answer.is_object()) return;
  Document dated = Document::object();
  for (auto& [name, value] : answer.items()) {
    if (is_loop_time(name) && value.is_number_integer()) {
      if (value != 0) dated[name + "At"] = format_time(value.get<int64_t>());
      continue;
    }
    date_answer(value);
    dated[name] = std::move(value);
  }
  answer = std::move(dated);
}

std::string person_of(const Arguments& arguments, const Session& session) {
  auto by = arguments.value("--by").value_or(session.context().author.user);
  parse_value(quote(by), "--by");
  return by;
}

std::string entry_line(const Document& entry, const Style& style) {
  const std::string state = entry["state"];
  const auto* known = std::ranges::find(kStates, state, &State::name);
  const auto colour = known == kStates.end() ? Colour::kPlain : known->colour;
  const std::string words(known == kStates.end() ? "" : known->shown);
  return paint(style, Colour::kDim, entry["changedAt"].get<std::string>()) + "  " +
         paint(style, colour, "● " + words) + "  " +
         paint(style, Colour::kBold, shown(entry["title"].get<std::string>(), kEntryTitleWidth)) +
         "  " + shown(entry["text"].get<std::string>(), kEntryTextWidth) + "\n";
}

}  // namespace reprise
