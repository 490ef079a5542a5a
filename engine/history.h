// The effective history of a run: what replay sees. A pass over all records, without the process,
// yields the activations in order, the command records by cause, and the state. Replay never looks
// at the journal itself.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "engine/assignment.h"
#include "engine/effective.h"
#include "engine/process/process.h"
#include "engine/run_state.h"
#include "journal/files.h"
#include "journal/record.h"

namespace reprise {

/// An activation as recorded. Views point into the buffers that the reader of the journal keeps.
struct RecordedActivation {
  /// `members` are those of the record's data.
  RecordedActivation(const RecordView& record, const Members& members,
                     const ActivationPlace& activation);

  uint64_t seq = 0;
  int64_t at_ms = 0;
  uint64_t effect = 0;     ///< results and cancellations
  std::string_view data;   ///< the record's
  std::string_view value;  ///< of an ok result that the record holds inline; else empty
  RecordType type{};
  bool shell = false;  ///< see ActivationPlace
  uint32_t rules = 0;
};

struct History {
  RunState
      state;  ///< starts empty, or from the state cache with the records after its head to be added
  std::vector<RecordedActivation> activations;
  /// In journal order. The process is given one activation after the other, so this is by cause.
  std::vector<CommandRecord> commands;

  /// The code that was assigned last over a history; nullopt for runs with the code of their start.
  std::optional<Assignment> assignment;
  std::vector<CommandRecord> superseded;  ///< commands of the code before it, in journal order
  std::set<uint64_t> given_up;            ///< effects that assignments abandoned
  std::set<uint64_t> withdrawn;           ///< effects that the process waited for no longer
  /// By activation: the lowest number that a call from then on takes, after a RUN_REOPENED.
  std::map<uint64_t, uint64_t> first_numbers;
  /// A record was met that changes the meaning of those before it: what is here is void, and the
  /// effective history is to be read (read_effective in run.h).
  bool rewritten = false;

  /// Adds the next record of the raw journal. Nothing after one that sets `rewritten`.
  void read(const RecordView& record, JsonReader& reader);
  /// Makes this the effective history. The views of `effective` must stay valid.
  void fold(const EffectiveRecords& effective, JsonReader& reader);

  /// Begins behind a cached state: fetches the activations that it says are waiting.
  void resume(RunState cached, Dir& run, JsonReader& reader);
  /// The command records that the activation caused.
  std::span<const CommandRecord> commands_of(uint64_t activation_seq) const;

 private:
  std::optional<ActivationPlace> add(const RecordView& record, JsonReader& reader);
  void add_rewrite(const RecordView& record, const Members& data);

  std::deque<std::string> x_buffers;  ///< of the activations fetched by resume
};

/// An activation made ready for a process: values are fetched from blobs, shell errors are
/// normalised.
class PreparedActivation {
 public:
  PreparedActivation(const RecordedActivation& recorded, const RunState& state, Dir& run,
                     JsonReader& reader);
  PreparedActivation(const PreparedActivation&) = delete;
  PreparedActivation& operator=(const PreparedActivation&) = delete;
  const Activation& get() const { return x_activation; }

 private:
  Activation x_activation;
  std::string x_name;
  std::string x_value;
};

/// The JSON text of a value that a record holds inline (`name`) or as a blob (`name` + "Ref");
/// empty when it has none.
std::string load_value(const Members& data, std::string_view name, Dir& run);

}  // namespace reprise
