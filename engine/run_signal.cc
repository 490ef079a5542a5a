#include "engine/run_signal.h"

#include "engine/identity.h"
#include "engine/json_writer.h"
#include "engine/task_files.h"
#include "engine/tell.h"
#include "journal/error.h"
#include "journal/ids.h"

namespace reprise {

namespace {

constexpr std::string_view kSignalKey = "reprise.run.signal:";

struct Letter {
  std::string run;
  Signal signal;
};

Letter read_letter(Dir& sender_dir, const RunState& sender, const OpenEffect& effect) {
  JsonReader reader;
  const auto request = load_request(sender_dir, effect.place, reader);
  JsonReader members;
  const auto& args = members.members_of_copy(request.inputs);
  Letter letter;
  letter.run = args.text("run");
  letter.signal.name = args.text("name");
  const auto value = args.raw("value");
  letter.signal.value = parse_value(value.empty() ? "null" : value, "the value of the signal");
  const auto name = sender.run_id + "." + format_effect_id(effect.id);
  letter.signal.key = with_identity(std::string(kSignalKey) + name, sender.identity);
  return letter;
}

void record_letter(const RunFolder& folder, const RunState& sender, const Letter& letter,
                   const Context& context) {
  if (letter.run == sender.run_id) {
    throw Error(Exit::kConflict, "INVALID_SIGNAL", "a run cannot send itself a signal");
  }
  const auto other = valid_run_id(letter.run) ? folder.runs.open_dir(letter.run) : nullptr;
  if (!other) {
    throw Error(Exit::kNotFound, "RUN_NOT_FOUND", "there is no run " + letter.run.substr(0, 128));
  }
  tell(*other, context, {letter.signal}, After::kNothing, {});
}

Post post_about(const OpenEffect& effect, bool ok, const std::string& json) {
  Post post;
  post.effect.id = effect.id;
  post.ok = ok;
  post.by_engine = true;
  post.value = parse_value(json, "what became of a signal");
  return post;
}

Post sent(const OpenEffect& effect, const Letter& letter) {
  return post_about(effect, true,
                    JsonWriter().text("runId", letter.run).text("name", letter.signal.name).done());
}

Post refused(const OpenEffect& effect, const Error& error) {
  const auto data = JsonWriter().text("code", error.code()).done();
  return post_about(effect, false,
                    JsonWriter()
                        .text("name", "RunSignalRefused")
                        .text("message", error.message())
                        .raw("data", data)
                        .done());
}

}  // namespace

Posted deliver_signal(const RunFolder& folder, Dir& sender_dir, const RunState& sender,
                      const OpenEffect& effect, const Context& context) {
  Post post;
  try {
    const auto letter = read_letter(sender_dir, sender, effect);
    record_letter(folder, sender, letter, context);
    post = sent(effect, letter);
  } catch (const Error& error) {
    if (!is_settled_by(error)) throw;
    post = refused(effect, error);
  }
  return post_result(sender_dir, context, post);
}

}  // namespace reprise
