#include "processes/channel/context.h"

#include <algorithm>
#include <cmath>

#include "processes/channel/state.h"

namespace reprise::channel {

namespace {

/// Of what a prompt without a session carries.
uint64_t carried_characters(const Transcript& transcript, const Settings& settings) {
  uint64_t sum = transcript.summary ? transcript.summary->characters : 0;
  for (const auto& message : transcript.carried(settings.history_messages)) {
    sum += message->characters;
  }
  return sum;
}

uint64_t held_characters(const Transcript& transcript, const Settings& settings,
                         const Context& context, bool in_session) {
  if (in_session) return transcript.characters - std::min(context.outside, transcript.characters);
  return carried_characters(transcript, settings);
}

/// Of the messages that the usage does not cover.
uint64_t uncovered_characters(const Transcript& transcript, const Settings& settings,
                              const Context& context) {
  uint64_t sum = 0;
  for (const auto& message : transcript.carried(settings.history_messages)) {
    const auto until = message->role == "assistant" ? context.replies : context.covers;
    if (message->place > until) sum += message->characters;
  }
  return sum;
}

}  // namespace

void Context::evolve(const Event& event, const Session& session, const Transcript& transcript,
                     const Settings& settings) {
  const bool is_new_session =
      event.type == "session.updated" && text_of(event.payload, "sessionId") != session.id;
  if (is_new_session || event.type == "compactor.summary.applied") {
    // What a new session holds is what its first prompt carried.
    outside = transcript.characters -
              std::min(transcript.characters, carried_characters(transcript, settings));
    told = 0;
  } else if (event.type == "session.closed") {
    told = 0;
  } else if (event.type == "usage.counted" && event.payload.contains("covers")) {
    told = number_of(event.payload, "promptTokens") + number_of(event.payload, "completionTokens");
    covers = event.payload.at("covers").at(0);
    replies = event.payload.at("covers").at(1);
    const auto held = held_characters(transcript, settings, *this, !session.id.empty());
    measured = held - std::min(held, uncovered_characters(transcript, settings, *this));
  } else if (event.type == "agent.status") {
    window = number_of(event.payload, "contextWindow", window);
  }
}

Json Context::to_json() const {
  return {{"window", window}, {"outside", outside}, {"told", told},
          {"covers", covers}, {"replies", replies}, {"measured", measured}};
}

void Context::restore(const Json& json) {
  window = json.at("window");
  outside = json.at("outside");
  told = json.at("told");
  covers = json.at("covers");
  replies = json.at("replies");
  measured = json.at("measured");
}

int64_t context_window(const Channel& channel) {
  const auto window = channel.context.window;
  return std::max<int64_t>(window > 0 ? window : channel.settings.context_window, 1);
}

int64_t context_tokens(const Channel& channel) {
  const auto& context = channel.context;
  const auto held =
      held_characters(channel.transcript, channel.settings, context, !channel.session.id.empty());
  auto tokens = static_cast<int64_t>(held / kCharactersOfToken);
  if (context.told > 0) {
    const auto others =
        std::min(held, uncovered_characters(channel.transcript, channel.settings, context));
    const auto share = context.measured == 0 ? 1.0
                                             : static_cast<double>(held - others) /
                                                   static_cast<double>(context.measured);
    tokens = static_cast<int64_t>(std::floor(static_cast<double>(context.told) * share)) +
             static_cast<int64_t>(others / kCharactersOfToken);
  }
  return std::max<int64_t>(tokens, 1);
}

double utilization(const Channel& channel) {
  return std::min(1.0, static_cast<double>(context_tokens(channel)) /
                           static_cast<double>(context_window(channel)));
}

Json shown_context(const Channel& channel) {
  const auto carried = channel.transcript.carried(channel.settings.history_messages);
  return {{"utilization", utilization(channel)},
          {"tokens", context_tokens(channel)},
          {"window", context_window(channel)},
          {"source", channel.context.told > 0 ? "usage" : "estimate"},
          {"messages", carried.size()}};
}

}  // namespace reprise::channel
