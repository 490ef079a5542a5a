// A command becomes the signal that the operator would send, and is judged and applied as that.
#include "processes/channel/slash.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "processes/channel/answer.h"
#include "processes/channel/context.h"
#include "processes/channel/intake.h"
#include "processes/channel/signals.h"
#include "unicode/unicode.h"

namespace reprise::channel {

namespace {

/// What people are told; empty: nothing is to be said.
using Answer = std::string;

/// Judges and applies; the refusal is the answer, or else `done`.
Answer send(Scribe& scribe, std::string_view name, Json value, const Speaker& speaker,
            const Answer& done) {
  value["by"] = speaker.author.id;
  const auto* spec = find_signal(name);
  if (const auto refusal = spec->check(scribe.state(), value, scribe.at_ms())) {
    return refusal->message + (refusal->hint.empty() ? "." : "; " + refusal->hint + ".");
  }
  spec->apply(scribe, value, speaker.signal);
  return done;
}

Answer stop_run(Scribe& scribe, const Slash& slash, const Speaker& speaker) {
  const bool hold = !slash.words.empty() && slash.words[0] == "hold";
  const bool runs = scribe.state().reply.is_active();
  send(scribe, "channel.stop", {{"hold", hold}}, speaker, {});
  if (hold) return "The queue is held; /release lets it go on.";
  return runs ? "" : "No active run to stop.";
}

Answer hold_queue(Scribe& scribe, const Slash&, const Speaker& speaker) {
  return send(scribe, "channel.hold", Json::object(), speaker,
              "The queue is held; /release lets it go on.");
}

Answer release_queue(Scribe& scribe, const Slash&, const Speaker& speaker) {
  return send(scribe, "channel.release", Json::object(), speaker, "The queue goes on.");
}

Answer give_run_up(Scribe& scribe, const Slash&, const Speaker& speaker) {
  const bool runs = scribe.state().reply.is_active();
  return send(scribe, "channel.recover", Json::object(), speaker,
              runs ? "The interrupted run was given up." : "No run was interrupted.");
}

Answer cancel_messages(Scribe& scribe, const Slash& slash, const Speaker& speaker) {
  return send(scribe, "channel.cancel", {{"msgIds", slash.words}}, speaker,
              "Cancelled: " + std::to_string(slash.words.size()) + ".");
}

Answer allow_people(Scribe& scribe, const Slash& slash, const Speaker& speaker) {
  auto words = slash.words;
  const bool named = words.size() > 1 && (words.back() == "owner" || words.back() == "member");
  const auto role = named ? words.back() : "member";
  if (named) words.pop_back();
  return send(scribe, "channel.allow", {{"users", words}, {"role", role}}, speaker,
              "Allowed as " + role + ".");
}

Answer deny_people(Scribe& scribe, const Slash& slash, const Speaker& speaker) {
  return send(scribe, "channel.deny", {{"users", slash.words}}, speaker, "Denied.");
}

Answer i_am_the_owner(Scribe& scribe, const Slash&, const Speaker& speaker) {
  if (!is_open_to_all(scribe.state().permissions, scribe.state().settings)) {
    return "This channel has its lists already.";
  }
  return send(scribe, "channel.allow", {{"users", {speaker.author.id}}, {"role", "owner"}}, speaker,
              "You are the owner of this channel now.");
}

Answer status(Scribe& scribe, const Slash&, const Speaker&) {
  const auto& channel = scribe.state();
  Answer text = channel.reply.is_active()
                    ? "Run " + channel.reply.run_id + " works on " + channel.reply.msg_id + "."
                    : "No run is active.";
  text += " " + std::to_string(channel.queue.waiting.size()) + " in the queue";
  if (channel.identity.held) text += ", which is held";
  if (channel.parking.is_parked())
    text += ", which waits for an answer to " + channel.parking.card_id;
  text +=
      ". The context is " + std::to_string(std::lround(utilization(channel) * 100)) + " % full.";
  return text;
}

Answer tasks(Scribe& scribe, const Slash&, const Speaker&) {
  Answer text;
  const auto workers = answer(scribe.state(), {{"ask", "workers"}}, scribe.at_ms());
  for (const auto& worker : workers) {
    text += text_of(worker, "workerId") + " " + text_of(worker, "state") + ": " +
            text_of(worker, "title") + "\n";
  }
  if (text.empty()) return "No workers.";
  text.pop_back();
  return text;
}

Answer queue(Scribe& scribe, const Slash&, const Speaker&) {
  constexpr size_t kExcerpt = 60;
  Answer text;
  for (const auto* queued : scribe.state().queue.in_order(scribe.at_ms())) {
    const auto& message = *queued->message;
    text += message.msg_id + " " + message.author_name + ": " +
            std::string(unicode::first(message.content, kExcerpt)) + "\n";
  }
  if (text.empty()) return "The queue is empty.";
  text.pop_back();
  return text;
}

Answer help(Scribe& scribe, const Slash& slash, const Speaker& speaker);

struct Entry {
  std::string_view name;
  std::string_view rest;  ///< what may stand behind it
  std::string_view summary;
  Role least;
  Answer (*perform)(Scribe& scribe, const Slash& slash, const Speaker& speaker);
};

constexpr std::array kEntries = {
    Entry{"/stop", " [hold]", "end the active run", Role::kMember, stop_run},
    Entry{"/hold", "", "let the queue wait", Role::kMember, hold_queue},
    Entry{"/release", "", "let it go on", Role::kMember, release_queue},
    Entry{"/cancel", " ID...", "take messages out of the queue", Role::kMember, cancel_messages},
    Entry{"/recover", "", "give an interrupted run up", Role::kMember, give_run_up},
    Entry{"/status", "", "what the channel does", Role::kMember, status},
    Entry{"/queue", "", "what waits", Role::kMember, queue},
    Entry{"/tasks", "", "the workers", Role::kMember, tasks},
    Entry{"/allow", " USER... [owner|member]", "let people speak", Role::kOwner, allow_people},
    Entry{"/deny", " USER...", "take that back", Role::kOwner, deny_people},
    Entry{"/iamtheowner", "", "while nobody is on the lists", Role::kMember, i_am_the_owner},
    Entry{"/help", "", "this list", Role::kMember, help},
};

Answer help(Scribe&, const Slash&, const Speaker&) {
  Answer text;
  for (const auto& entry : kEntries) {
    if (!text.empty()) text += "\n";
    text += std::string(entry.name) + std::string(entry.rest) + ": " + std::string(entry.summary);
  }
  return text;
}

const Entry* find_entry(std::string_view name) {
  const auto found = std::ranges::find(kEntries, name, &Entry::name);
  return found == kEntries.end() ? nullptr : &*found;
}

/// The first word is taken off.
std::string take_word(std::string_view& text) {
  text = unicode::trimmed(text);
  const auto end = std::min(text.find_first_of(" \t\r\n"), text.size());
  const auto word = text.substr(0, end);
  text.remove_prefix(end);
  return std::string(word);
}

}  // namespace

std::optional<Slash> parse_slash(const Settings& settings, const std::string& text) {
  std::string_view rest = text;
  if (!settings.prefix.empty() && rest.starts_with(settings.prefix)) {
    rest.remove_prefix(settings.prefix.size());
  }
  const auto word = take_word(rest);
  Slash slash{.name = unicode::fold(word.substr(0, word.find('@'))), .words = {}};
  if (find_entry(slash.name) == nullptr) return std::nullopt;
  for (auto next = take_word(rest); !next.empty(); next = take_word(rest)) {
    slash.words.push_back(std::move(next));
  }
  return slash;
}

void perform_slash(Scribe& scribe, const Slash& slash, const Speaker& speaker) {
  const auto* entry = find_entry(slash.name);
  Answer text;
  if (speaker.role >= entry->least) {
    text = entry->perform(scribe, slash, speaker);
  } else if (speaker.role == Role::kNone) {
    text = "You don't have permission to use this command.";
  } else {
    text = "Only owners can manage permissions.";
  }
  if (!text.empty()) write_row(scribe, "system", text, {{"replyTo", speaker.msg_id}});
}

}  // namespace reprise::channel
