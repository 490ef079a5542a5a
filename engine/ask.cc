// As replay in an iteration, on what a reader sees: the snapshot and what follows it.
#include "engine/ask.h"

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

}  // namespace

bool with_asked(Dir& run, const Context& context, Past past,
                const std::function<void(const Machine&, const RunState&)>& use) {
  OpenRun open;
  if (past == Past::kWhole || !read_tail(run, open)) read_whole(run, open);
  if (!open.history.state.has_process) return false;
  const auto descriptor = read_descriptor(run, open.history.state, open.reader);
  if (descriptor.script) return false;
  const auto& built_in = find_built_in(context.built_ins, descriptor.name);
  const Inputs inputs([&] { return load_inputs(run, open.history.state); });
  auto decider = built_in.make(inputs);
  if (past == Past::kWhole) {
    decider->keep_all();
  } else if (!open.snapshot.empty() && !decider->restore(open.snapshot)) {
    read_whole(run, open);
    decider = built_in.make(inputs);
  }
  DeciderMachine machine(built_in.name, std::move(decider));
  Reserve reserve(open.history, open.reader);
  replay(machine, open, run, reserve);
  use(machine, open.history.state);
  return true;
}

std::string ask(Dir& run, const Context& context, std::string_view question, Past past) {
  std::string answer = "null";
  with_asked(run, context, past,
             [&](const Machine& machine, const RunState&) { answer = machine.answer(question); });
  return answer;
}

}  // namespace reprise
