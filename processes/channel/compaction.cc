#include "processes/channel/compaction.h"

#include <algorithm>

#include "processes/channel/compactor.h"
#include "processes/channel/context.h"
#include "processes/channel/folding.h"
#include "processes/channel/intake.h"
#include "processes/channel/prompt.h"
#include "processes/channel/reply.h"
#include "unicode/unicode.h"

namespace reprise::channel {

namespace {

constexpr int64_t kTooLongReductionPercent = 70;

Json retry_policy() {
  return {{"maxAttempts", 3}, {"backoffMs", 250}, {"factor", 2}, {"maxBackoffMs", 2000}};
}

/// As much as the level asks; a prompt that was too long is an emergency.
struct Aim {
  double threshold = 1;
  int64_t reduction_percent = kTooLongReductionPercent;
};
Aim aim_of(const Settings& settings, const std::string& level) {
  const auto found = std::ranges::find(settings.levels, level, &CompactorLevel::name);
  if (found == settings.levels.end()) return {};
  return {found->above, found->reduction_percent};
}

/// The session that the job compacts; with a run the one that its prompt did not fit into.
std::string session_for(const Channel& channel, const std::string& run_id) {
  return run_id.empty() ? channel.session.id : used_session(channel);
}

void tell_hit(Scribe& scribe, const std::string& level, const std::string& run_id,
              const Folding& folding) {
  const auto& state = scribe.state();
  const auto aim = aim_of(state.settings, level);
  auto rows = Json::array();
  if (!folding.messages.empty()) {
    rows = {folding.messages.front()->row, folding.messages.back()->row};
  }
  Json hit = {{"jobId", "c" + std::to_string(state.compactor.jobs + 1)},
              {"level", level},
              {"utilization", utilization(state)},
              {"tokens", context_tokens(state)},
              {"threshold", aim.threshold},
              {"targetReductionPercent", aim.reduction_percent},
              {"rows", rows},
              {"places", {folding.from, folding.to}}};
  if (!run_id.empty()) hit["runId"] = run_id;
  if (const auto session = session_for(state, run_id); !session.empty()) {
    hit["sessionId"] = session;
  }
  scribe.emit("compactor.threshold.hit", hit);
}

void request(Scribe& scribe, const Folding& folding) {
  const auto& state = scribe.state();
  const auto& job = state.compactor.open.back();
  const auto percent = aim_of(state.settings, job.level).reduction_percent;
  const auto folded =
      make_conversation(shortened(folding.messages, state), state.transcript.summary);
  const auto prompt = "Summarise the conversation below, about " + std::to_string(percent) +
                      " percent shorter: decisions, facts, open questions and who wants what. "
                      "Answer with the summary alone.\n\n" +
                      folded.text;
  Json inputs = {{"channelId", state.identity.id},
                 {"jobId", job.id},
                 {"level", job.level},
                 {"targetReductionPercent", percent},
                 {"messages", folded.messages},
                 {"prompt", prompt}};
  if (!job.session.empty()) inputs["sessionId"] = job.session;
  if (!state.identity.dir.empty()) inputs["cwd"] = state.identity.dir;
  Json options = work_options(state.settings.run_timeout_ms);
  options["retry"] = retry_policy();
  scribe.request({.noun = "compaction",
                  .id = job.id,
                  .kind = "compaction",
                  .task = "channel.compaction",
                  .label = job.level,
                  .inputs = std::move(inputs),
                  .definition = {{"title", "summary " + job.id},
                                 {"outputSchema", "reprise:compaction-result"}},
                  .options = std::move(options)});
}

/// `again`: the level is tried again when the context has grown.
void tell_failed(Scribe& scribe, const Compaction& job, const std::string& error, bool again,
                 uint64_t withdrawn = 0) {
  Json failed = {{"jobId", job.id}, {"level", job.level}, {"error", error}};
  if (again) {
    failed["againAtTokens"] =
        context_tokens(scribe.state()) + std::max<int64_t>(context_window(scribe.state()) / 20, 1);
  }
  scribe.emit_withdrawing("compactor.failed", std::move(failed), withdrawn);
}

void give_up(Scribe& scribe, const Compaction& job, const std::string& why) {
  const auto effect = scribe.state().effects.find("compaction", job.id);
  tell_failed(scribe, job, why, false, effect);
}

/// The session goes on as the executor compacted it. When it names none, or the one that must stay
/// because it is another channel's, the summary takes its place.
void replace_session(Scribe& scribe, const Compaction& job, const Json& result) {
  const auto& state = scribe.state();
  if (job.session.empty() || used_session(state) != job.session) return;
  const auto session = text_of(result, "sessionId");
  if (session.empty() || session == state.session.fork_from) {
    scribe.emit("session.closed", {{"sessionId", job.session}, {"reason", "compaction"}});
    return;
  }
  Json updated = {{"sessionId", session}, {"cause", "compaction"}, {"place", state.session.place}};
  if (!job.run_id.empty()) updated["runId"] = job.run_id;
  scribe.emit("session.updated", updated);
}

void keep_artifact(Scribe& scribe, const Compaction& job, const std::string& summary) {
  scribe.emit("artifact.created",
              {{"artifactId", "summary-" + job.id},
               {"jobId", job.id},
               {"kind", "summary"},
               {"title", "Summary " + job.id + " (" + job.level + ")"},
               {"mediaType", "text/plain"},
               {"preview", std::string(unicode::first(summary, kPreviewCharacters))},
               {"content", summary}});
}

void apply(Scribe& scribe, const Compaction& job, const Json& result) {
  const auto summary = text_of(result, "summary");
  const auto before = utilization(scribe.state());
  Json applied = {{"jobId", job.id},    {"level", job.level},
                  {"rows", job.rows},   {"places", {job.from, job.to}},
                  {"summary", summary}, {"before", before}};
  auto afterwards = scribe.state();
  afterwards.evolve({"compactor.summary.applied", applied, scribe.at_ms()});
  const auto after = utilization(afterwards);
  applied["after"] = after;
  if (tells_usage(result)) applied["usage"] = result.at("usage");
  scribe.emit("compactor.summary.applied", applied);
  replace_session(scribe, job, result);
  keep_artifact(scribe, job, summary);
  if (after >= before && job.run_id.empty()) {
    tell_ineffective(scribe, job.id, job.level, before, after);
  }
}

std::string error_of(const Result& result) {
  if (result.cancelled) return "it was cancelled";
  if (!result.ok) return text_of(result.value, "message", text_of(result.value, "name", "error"));
  return "the summary is empty";
}

}  // namespace

bool begin_compaction(Scribe& scribe, const std::string& level, const std::string& run_id) {
  const auto folding = choose_folding(scribe.state());
  if (folding.messages.empty() && session_for(scribe.state(), run_id).empty()) return false;
  if (!run_id.empty()) supersede_compactions(scribe, level);
  tell_hit(scribe, level, run_id, folding);
  request(scribe, folding);
  return true;
}

void resolve_compaction(Scribe& scribe, const Result& result) {
  const auto* found = scribe.state().compactor.find(result.owner.id);
  if (found == nullptr) return;
  const auto job = *found;
  count_usage(scribe, "compaction", {{"jobId", job.id}},
              result.ok ? result.value : member_of(result.value, "data"));
  const bool good = result.ok && !unicode::trimmed(text_of(result.value, "summary")).empty();
  if (good) {
    apply(scribe, job, result.value);
  } else {
    tell_failed(scribe, job, error_of(result), job.run_id.empty());
  }
  if (!job.run_id.empty()) {
    const Json failure = {{"name", "too_long"},
                          {"message", "compacting the session: " + error_of(result)}};
    resume_reply(scribe, good ? Json() : failure);
  } else if (!job.session.empty()) {
    resume_reply(scribe, Json());
  }
}

void withdraw_compaction_of_run(Scribe& scribe) {
  const auto run = scribe.state().reply.run_id;
  const auto open = scribe.state().compactor.open;
  for (const auto& job : open) {
    if (!run.empty() && job.run_id == run) give_up(scribe, job, "its run was stopped");
  }
}

void supersede_compactions(Scribe& scribe, const std::string& level) {
  const auto open = scribe.state().compactor.open;
  for (const auto& job : open) give_up(scribe, job, "the level " + level + " took over");
}

void tell_nothing_to_fold(Scribe& scribe, const std::string& level) {
  tell_hit(scribe, level, {}, {});
  const auto job = scribe.state().compactor.open.back();
  tell_failed(scribe, job, "nothing to fold: all messages that there are must stay", true);
}

void write_compactor_row(Scribe& scribe, const std::string& text) {
  write_row(scribe, "system", text);
}

}  // namespace reprise::channel
