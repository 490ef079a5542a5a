// The state, and when a job begins; compaction.cc has how it begins and ends.
#include "processes/channel/compactor.h"

#include <algorithm>

#include "processes/channel/compaction.h"
#include "processes/channel/context.h"
#include "processes/channel/scribe.h"

namespace reprise::channel {

namespace {

/// After so many summaries that did not help it is no use to go on.
constexpr int64_t kMostIneffective = 2;

/// The highest level that the utilization is above.
const CompactorLevel* level_of(const Settings& settings, double used) {
  const CompactorLevel* highest = nullptr;
  for (const auto& level : settings.levels) {
    if (used > level.above && (highest == nullptr || level.above >= highest->above)) {
      highest = &level;
    }
  }
  return highest;
}

/// May this level begin? Not while one that is as high is at work, nor in a session that a run
/// uses.
bool is_wanted(const Channel& channel, const std::string& level) {
  const auto& compactor = channel.compactor;
  if (compactor.ineffective >= kMostIneffective || compactor.is_in_flight(level)) return false;
  if (std::ranges::any_of(compactor.open, [](const auto& job) { return !job.run_id.empty(); })) {
    return false;
  }
  if (channel.reply.is_active() && !channel.session.id.empty()) return false;
  const auto failed = compactor.again_at.find(level);
  return failed == compactor.again_at.end() || context_tokens(channel) >= failed->second;
}

/// Did the last summary help, now that a response told how full the context is?
void judge_summary(Scribe& scribe) {
  const auto unjudged = scribe.state().compactor.unjudged;
  const auto used = utilization(scribe.state());
  if (!unjudged || used < unjudged->before) return;
  tell_ineffective(scribe, unjudged->job_id, unjudged->level, unjudged->before, used);
}

}  // namespace

const Compaction* Compactor::find(const std::string& id) const {
  const auto found = std::ranges::find(open, id, &Compaction::id);
  return found == open.end() ? nullptr : &*found;
}

bool Compactor::is_in_flight(const std::string& level) const {
  return std::ranges::find(open, level, &Compaction::level) != open.end();
}

bool Compactor::holds_session() const {
  return std::ranges::any_of(open, [](const auto& job) { return !job.session.empty(); });
}

void Compactor::evolve(const Event& event, const Settings& settings) {
  const auto& payload = event.payload;
  const auto id = text_of(payload, "jobId");
  if (event.type == "compactor.threshold.hit") {
    ++jobs;
    const auto& places = payload.at("places");
    open.push_back({id, text_of(payload, "level"), text_of(payload, "runId"),
                    text_of(payload, "sessionId"), places.at(0), places.at(1), payload.at("rows")});
  } else if (event.type == "compactor.summary.applied") {
    const auto level = text_of(payload, "level");
    if (level != kTooLong) unjudged = Unjudged{id, level, real_of(payload, "before")};
    again_at.erase(level);
    close(id);
  } else if (event.type == "compactor.failed") {
    const auto again = number_of(payload, "againAtTokens");
    if (again > 0) again_at[text_of(payload, "level")] = again;
    close(id);
  } else if (event.type == "compactor.ineffective") {
    ++ineffective;
    unjudged.reset();
  } else if (event.type == "session.closed") {
    unjudged.reset();
  } else if (event.type == "agent.status" && payload.contains("utilization")) {
    const auto used = real_of(payload, "utilization");
    const bool small = level_of(settings, used) == nullptr;
    if (small) again_at.clear();
    if (!small && !(unjudged && used < unjudged->before)) return;
    ineffective = 0;
    unjudged.reset();
  }
}

void Compactor::close(const std::string& id) {
  std::erase_if(open, [&](const Compaction& job) { return job.id == id; });
}

Json Compactor::to_json() const {
  auto list = Json::array();
  for (const auto& job : open) {
    list.push_back({job.id, job.level, job.run_id, job.session, job.from, job.to, job.rows});
  }
  Json json = {{"jobs", jobs}, {"open", list}, {"againAt", again_at}, {"ineffective", ineffective}};
  if (unjudged) json["unjudged"] = {unjudged->job_id, unjudged->level, unjudged->before};
  return json;
}

void Compactor::restore(const Json& json) {
  jobs = json.at("jobs");
  open.clear();
  for (const auto& job : json.at("open")) {
    open.push_back({job.at(0), job.at(1), job.at(2), job.at(3), job.at(4), job.at(5), job.at(6)});
  }
  again_at = json.at("againAt").get<std::map<std::string, int64_t>>();
  ineffective = json.at("ineffective");
  unjudged.reset();
  if (const auto& it = member_of(json, "unjudged"); it.is_array()) {
    unjudged = Unjudged{it.at(0), it.at(1), it.at(2)};
  }
}

Json Compactor::shown() const {
  auto list = Json::array();
  for (const auto& job : open) list.push_back({{"jobId", job.id}, {"level", job.level}});
  return {{"jobs", jobs},
          {"inFlight", list},
          {"ineffective", ineffective},
          {"stopped", ineffective >= kMostIneffective}};
}

void evaluate_compaction(Scribe& scribe) {
  judge_summary(scribe);
  const auto* level = level_of(scribe.state().settings, utilization(scribe.state()));
  if (level == nullptr || !is_wanted(scribe.state(), level->name)) return;
  const auto name = level->name;
  supersede_compactions(scribe, name);
  if (!begin_compaction(scribe, name, {})) tell_nothing_to_fold(scribe, name);
}

void tell_ineffective(Scribe& scribe, const std::string& job_id, const std::string& level,
                      double before, double after) {
  scribe.emit("compactor.ineffective",
              {{"jobId", job_id}, {"level", level}, {"before", before}, {"after", after}});
  if (scribe.state().compactor.ineffective != kMostIneffective) return;
  write_compactor_row(scribe,
                      "Compaction does not make the context smaller: it is not tried again before "
                      "the context is small. A new session helps: /close");
}

}  // namespace reprise::channel
