#include "cli/commands.h"
#include "cli/go_on.h"
#include "cli/iteration.h"
#include "cli/run_documents.h"
#include "cli/session.h"
#include "cli/text.h"
#include "cli/user_files.h"
#include "cli/user_values.h"
#include "cli/value_flags.h"
#include "engine/post.h"
#include "journal/clock.h"
#include "journal/ids.h"

namespace reprise {
namespace {

// Reads what the flags of one post name, relative to the working directory, then the run's.
class PostReader {
 public:
  PostReader(const Arguments& arguments, std::vector<std::string> folders)
      : x_arguments(arguments), x_folders(std::move(folders)) {}

  Post read(const EffectSelector& effect) const {
    Post post;
    post.effect = effect;
    post.ok = x_arguments.value("--status") == "ok";
    post.value = post.ok ? value() : error();
    post.post_key = x_arguments.value("--key").value_or("");
    parse_value(quote(post.post_key), "--key");
    post.attempt = attempt();
    post.invocation_key = x_arguments.value("--invocation-key").value_or("");
    post.standard_output = file("--stdout-file");
    post.standard_error = file("--stderr-file");
    post.started_at = time("--started-at");
    post.finished_at = time("--finished-at");
    post.metadata = metadata();
    post.dry_run = x_arguments.has("--dry-run");
    return post;
  }

 private:
  std::optional<std::string> file(const char* flag) const {
    const auto name = x_arguments.value(flag);
    if (!name) return std::nullopt;
    return read_user_file(*name, x_folders, flag);
  }

  void refuse(const char* flag, const char* instead) const {
    if (!x_arguments.has(flag)) return;
    throw invalid_argument(std::string(flag) + " does not go with --status " +
                               x_arguments.value("--status").value_or(""),
                           std::string("use ") + instead);
  }

  Value value() const {
    refuse("--error", "--value or --value-inline");
    refuse("--error-inline", "--value or --value-inline");
    if (auto value = read_value_flags(x_arguments, x_folders)) return std::move(*value);
    throw invalid_argument("--status ok needs one of --value and --value-inline",
                           "a result without content is --value-inline null");
  }

  Value error() const {
    refuse("--value", "--error or --error-inline");
    refuse("--value-inline", "--error or --error-inline");
    const auto inline_text = x_arguments.value("--error-inline");
    const auto name = x_arguments.value("--error");
    if (inline_text && name) {
      throw invalid_argument("--error and --error-inline are two errors", "give one of them");
    }
    if (inline_text) return parse_error_value(*inline_text, "--error-inline");
    if (name) return parse_error_value(*file("--error"), "--error " + *name);
    return parse_error_value("Task reported failure", "the default error");
  }

  uint32_t attempt() const {
    const uint64_t number = x_arguments.count("--attempt").value_or(0);
    if (number <= UINT32_MAX) return static_cast<uint32_t>(number);
    throw invalid_argument("--attempt " + std::to_string(number) + " is too large", {});
  }

  std::string time(const char* flag) const {
    const auto text = x_arguments.value(flag);
    return text ? format_time(parse_time_flag(*text, flag)) : std::string();
  }

  std::string metadata() const {
    const auto text = file("--metadata");
    if (!text) return {};
    Value value = parse_value(*text, "--metadata");
    if (value.text.front() == '{') return std::move(value.text);
    throw invalid_argument("--metadata is a JSON object", "as {\"tokens\": 1200}");
  }

  const Arguments& x_arguments;
  std::vector<std::string> x_folders;
};

Document or_null(const std::string& text) {
  return text.empty() ? Document(nullptr) : Document(text);
}

}  // namespace

Reply task_post(const Arguments& arguments) {
  const Session session(arguments);
  const auto named = session.find_effect("--effect-key");
  const auto& run = named.run;
  Post post = PostReader(arguments, {session.working_dir(), run.path}).read(named.effect);
  post.token = session.claim_token(named);
  post.inside_executor = !environment("REPRISE_EFFECT").empty();
  const Posted posted = post_result(*run.dir, session.context(), post);

  Reply reply{.document = run_document(run, posted.state), .warnings = posted.notes};
  Document& document = reply.document;
  document["effectId"] = format_effect_id(posted.effect.id);
  document["taskId"] = posted.effect.task;
  document["attempt"] = posted.effect.attempt;
  document["status"] = post.ok ? "ok" : "error";
  document["recorded"] = posted.recorded;
  if (posted.late) document["late"] = true;
  document["dryRun"] = posted.dry_run;
  const auto& followup = posted.followup;
  document["normalizedShellFailure"] = posted.effect.kind == "shell" && !post.ok && !followup.again;
  if (followup.again) {
    document["retry"] = {{"attempt", posted.effect.attempt + 1}};
    if (followup.held.empty()) {
      document["retry"]["availableAt"] = format_time(followup.available_at_ms);
    } else {
      document["retry"]["held"] = followup.held;
    }
  }
  document["stdoutRef"] = or_null(posted.stdout_ref);
  document["stderrRef"] = or_null(posted.stderr_ref);
  document["committed"] = {{"at", format_time(posted.at_ms)},
                           {"stdoutRef", or_null(posted.stdout_ref)},
                           {"stderrRef", or_null(posted.stderr_ref)},
                           {"startedAt", or_null(post.started_at)},
                           {"finishedAt", or_null(post.finished_at)}};
  document["runStatus"] = status_name(posted.state.status());
  if (posted.state.status() == RunStatus::kReady) {
    GoOn(session).add(reply.document, run, posted.state);
  }
  if (arguments.has("--iterate") && !post.dry_run) {
    add_iteration(reply, session, run, arguments.has("--exit-status"));
  }
  return reply;
}

std::string task_post_text(const Document& document, const Style& style) {
  const bool recorded = document["recorded"];
  const bool dry_run = document["dryRun"];
  const std::string status = document["status"];
  std::string out = paint(style, Colour::kBold, document["effectId"].get<std::string>()) + "  " +
                    paint(style, status_colour(status), status) + "  " +
                    (dry_run    ? "would be recorded"
                     : recorded ? "recorded"
                                : "was recorded before; nothing changed");
  if (document.contains("late")) out += ", late: the process had given the work up";
  if (document.contains("retry")) {
    const Document& retry = document["retry"];
    out += ", attempt " + std::to_string(retry["attempt"].get<uint64_t>()) +
           (retry.contains("held") ? " waits for a person"
                                   : " from " + retry["availableAt"].get<std::string>());
  }
  out += "  " + shown(document["runId"].get<std::string>()) + " is " +
         document["runStatus"].get<std::string>() + "\n";
  return out + iteration_text(document, style);
}

}  // namespace reprise
