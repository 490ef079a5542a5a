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

std::string answer(Dir& run, OpenRun& open, std::unique_ptr<Decider> decider,
                   std::string_view question) {
  DeciderMachine machine(std::move(decider));
  Reserve reserve(open.history, open.reader);
  replay(machine, open, run, reserve);
  return machine.answer(question);
}

}  // namespace

std::string ask(Dir& run, const Context& context, std::string_view question, Past past) {
  OpenRun open;
  if (past == Past::kWhole || !read_tail(run, open)) read_whole(run, open);
  if (!open.history.state.has_process) return "null";
  const auto descriptor = read_descriptor(run, open.history.state, open.reader);
  if (descriptor.script) return "null";
  const auto& built_in = find_built_in(context.built_ins, descriptor.name);
  const Inputs inputs([&] { return load_inputs(run, open.history.state); });
  auto decider = built_in.make(inputs);
  if (past == Past::kWhole) {
    decider->keep_all();
  } else if (!open.snapshot.empty() && !decider->restore(open.snapshot)) {
    read_whole(run, open);
    decider = built_in.make(inputs);
  }
  return answer(run, open, std::move(decider), question);
}

}  // namespace reprise
