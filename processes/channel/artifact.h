// Artifacts: what workers, branches and compactions made. An artifact is created in the commit in
// which its work completes, whether or not anybody ever reads it.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>

#include "processes/channel/event.h"

namespace reprise::channel {

class Scribe;
struct Channel;

/// Code points of a text that people are shown in its place.
constexpr size_t kPreviewCharacters = 120;
/// How many of the things that ended stay in the state; the journal keeps all of them.
constexpr size_t kRemembered = 20;

std::string preview_of(std::string_view text);

struct Artifact {
  std::string id;          ///< "a1"; of a compaction "summary-c1"
  std::string worker_id;   ///< that made it; or empty
  std::string job_id;      ///< of the compaction that made it; or empty
  std::string kind;        ///< "text", "conclusion", or what its maker calls it
  std::string title;       ///< may be empty
  std::string media_type;  ///< "text/plain"
  std::string preview;     ///< the first 120 code points of the summary of the work
  std::string content;     ///< only where all of the past is kept
  size_t bytes = 0;        ///< of the content
  int64_t created_at_ms = 0;
};

struct Artifacts {
  uint64_t created = 0;         ///< of workers: the next one is a<created + 1>
  std::deque<Artifact> newest;  ///< oldest first

  void evolve(const Event& event, bool keeps_all);
  Json to_json() const;
  void restore(const Json& json);
};

/// Emits artifact.created and returns the new id. `given`, {kind?, title?, mediaType?, content?},
/// is what an executor said, or null: the summary is the content then.
std::string create_artifact(Scribe& scribe, const std::string& worker_id,
                            const std::string& summary, const Json& given);

/// [{artifactId, workerId?, jobId?, kind, title, mediaType, preview, bytes, createdAt}], oldest
/// first.
Json list_artifacts(const Channel& channel);
/// The same of one, with `content` where all of the past is kept; null when it is not known.
Json show_artifact(const Channel& channel, const std::string& id);

}  // namespace reprise::channel
