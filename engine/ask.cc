// As replay in an iteration, on what a reader sees: the snapshot and what follows it.
#include "engine/ask.h"

#include <optional>

#include "engine/decider_machine.h"
#include "engine/process_loader.h"
#include "engine/replay.h"
#include "engine/run.h"

namespace reprise {

namespace {

/// False when there is no snapshot that can be used.
bool read_tail(Dir& run, OpenRun& open) {
  auto cached = load_state(run, CachePart::kSnapshot);
  if (!cached || !cached->has_snapshot) return false;
  const auto head = cached->state.head;
  open.snapshot = std::move(cached->snapshot);
  open.history.resume(std::move(cached->state), run, open.reader);
  auto scan = read_journal(run, &head, Keep::kBuffers, [&](const RecordView& record) {
    open.history.read(record, open.reader);
  });
  if (!scan || open.history.rewritten) return false;
  open.effective = std::move(*scan);
  return true;
}

void read_whole(Dir& run, OpenRun& open) {
  auto read = read_effective(run);
  open.snapshot.clear();
  open.history = History();
  open.history.fold(read.fold.so_far(), open.reader);
  open.effective = std::move(read.scan);
}

class ReadRun final : public AskedRun {
 public:
  explicit ReadRun(Dir& run)
      : x_inputs([this, &run] { return load_inputs(run, x_open.history.state); }) {}

  /// False for a script and for a bare run.
  bool read(Dir& run, const Context& context, Past past) {
    if (past == Past::kWhole || !read_tail(run, x_open)) read_whole(run, x_open);
    if (!x_open.history.state.has_process) return false;
    const auto descriptor = read_descriptor(run, x_open.history.state, x_open.reader);
    if (descriptor.script) return false;
    const auto& built_in = find_built_in(context.built_ins, descriptor.name);
    auto decider = built_in.make(x_inputs);
    if (past == Past::kWhole) {
      decider->keep_all();
    } else if (!x_open.snapshot.empty() && !decider->restore(x_open.snapshot)) {
      read_whole(run, x_open);
      decider = built_in.make(x_inputs);
    }
    x_machine.emplace(built_in.name, std::move(decider));
    Reserve reserve(x_open.history, x_open.reader);
    replay(*x_machine, x_open, run, reserve);
    return true;
  }

  const Machine& machine() const override { return *x_machine; }
  const RunState& state() const override { return x_open.history.state; }
  bool is_whole() const override { return x_open.effective.tail.torn_bytes == 0; }

 private:
  OpenRun x_open;
  Inputs x_inputs;
  std::optional<DeciderMachine> x_machine;
};

}  // namespace

std::unique_ptr<AskedRun> read_asked(Dir& run, const Context& context, Past past) {
  auto asked = std::make_unique<ReadRun>(run);
  if (!asked->read(run, context, past)) return nullptr;
  return asked;
}

bool with_asked(Dir& run, const Context& context, Past past,
                const std::function<void(const Machine&, const RunState&)>& use) {
  const auto asked = read_asked(run, context, past);
  if (asked) use(asked->machine(), asked->state());
  return asked != nullptr;
}

std::string ask(Dir& run, const Context& context, std::string_view question, Past past) {
  std::string answer = "null";
  with_asked(run, context, past,
             [&](const Machine& machine, const RunState&) { answer = machine.answer(question); });
  return answer;
}

}  // namespace reprise
