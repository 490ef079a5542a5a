#include "processes/channel/artifact.h"

#include <algorithm>

#include "processes/channel/scribe.h"
#include "unicode/unicode.h"

namespace reprise::channel {

namespace {

Json describe_artifact(const Artifact& artifact) {
  Json json = {{"artifactId", artifact.id},
               {"kind", artifact.kind},
               {"title", artifact.title},
               {"mediaType", artifact.media_type},
               {"preview", artifact.preview},
               {"bytes", artifact.bytes},
               {"createdAt", artifact.created_at_ms}};
  if (!artifact.worker_id.empty()) json["workerId"] = artifact.worker_id;
  if (!artifact.job_id.empty()) json["jobId"] = artifact.job_id;
  return json;
}

Artifact parse_artifact(const Json& json) {
  Artifact artifact;
  artifact.id = text_of(json, "artifactId");
  artifact.worker_id = text_of(json, "workerId");
  artifact.job_id = text_of(json, "jobId");
  artifact.kind = text_of(json, "kind");
  artifact.title = text_of(json, "title");
  artifact.media_type = text_of(json, "mediaType");
  artifact.preview = text_of(json, "preview");
  artifact.bytes = static_cast<size_t>(number_of(json, "bytes"));
  artifact.created_at_ms = number_of(json, "createdAt");
  return artifact;
}

}  // namespace

std::string preview_of(std::string_view text) {
  return std::string(unicode::first(text, kPreviewCharacters));
}

void Artifacts::evolve(const Event& event, bool keeps_all) {
  if (event.type != "artifact.created") return;
  auto artifact = parse_artifact(event.payload);
  const auto content = text_of(event.payload, "content");
  artifact.bytes = content.size();
  artifact.created_at_ms = event.at_ms;
  if (keeps_all) artifact.content = content;
  if (!artifact.worker_id.empty()) ++created;
  newest.push_back(std::move(artifact));
  if (!keeps_all && newest.size() > kRemembered) newest.pop_front();
}

Json Artifacts::to_json() const {
  auto list = Json::array();
  for (const auto& artifact : newest) list.push_back(describe_artifact(artifact));
  return {{"created", created}, {"newest", std::move(list)}};
}

void Artifacts::restore(const Json& json) {
  created = json.at("created");
  newest.clear();
  for (const auto& artifact : json.at("newest")) newest.push_back(parse_artifact(artifact));
}

std::string create_artifact(Scribe& scribe, const std::string& worker_id,
                            const std::string& summary, const Json& given) {
  auto id = "a" + std::to_string(scribe.state().artifacts.created + 1);
  scribe.emit("artifact.created", {{"artifactId", id},
                                   {"workerId", worker_id},
                                   {"kind", text_of(given, "kind", "text")},
                                   {"title", text_of(given, "title")},
                                   {"mediaType", text_of(given, "mediaType", "text/plain")},
                                   {"preview", preview_of(summary)},
                                   {"content", text_of(given, "content", summary)}});
  return id;
}

Json list_artifacts(const Channel& channel) {
  auto list = Json::array();
  for (const auto& artifact : channel.artifacts.newest) list.push_back(describe_artifact(artifact));
  return list;
}

Json show_artifact(const Channel& channel, const std::string& id) {
  const auto& newest = channel.artifacts.newest;
  const auto found = std::ranges::find(newest, id, &Artifact::id);
  if (found == newest.end()) return {};
  auto json = describe_artifact(*found);
  if (channel.keeps_all) json["content"] = found->content;
  return json;
}

}  // namespace reprise::channel
