// task:claim, task:extend, task:release, task:progress: who works on an effect, until when, how
// far.
#include "cli/claim_flags.h"
#include "cli/commands.h"
#include "cli/run_documents.h"
#include "cli/session.h"
#include "cli/text.h"
#include "cli/user_values.h"
#include "cli/value_flags.h"
#include "engine/lease.h"
#include "journal/clock.h"
#include "journal/ids.h"

namespace reprise {
namespace {

Reply claim_reply(const RunHandle& run, const Claimed& claimed, bool dry_run) {
  Reply reply{.document = run_document(run, claimed.state), .warnings = claimed.notes};
  reply.document["effectId"] = format_effect_id(claimed.effect.id);
  reply.document["attempt"] = claimed.effect.attempt;
  reply.document["recorded"] = claimed.recorded;
  reply.document["dryRun"] = dry_run;
  reply.document["at"] = format_time(claimed.at_ms);
  if (claimed.effect.claim) {
    reply.document["claim"] = claim_document(*claimed.effect.claim);
    reply.document["claim"]["token"] = claimed.effect.claim->token;
  }
  return reply;
}

LeaseRequest lease_request(const Session& session, const Session::RunAndEffect& named,
                           const Arguments& arguments) {
  LeaseRequest request{.effect = named.effect,
                       .token = session.claim_token(named),
                       .dry_run = arguments.has("--dry-run")};
  return request;
}

// The same of what only the holder of the claim may do, or who insists.
LeaseRequest holders_request(const Session& session, const Session::RunAndEffect& named,
                             const Arguments& arguments) {
  auto request = lease_request(session, named, arguments);
  if (!request.token.empty() || arguments.has("--force")) return request;
  throw Error(Exit::kUsage, "MISSING_ARGUMENT",
              std::string(arguments.command().name) + " needs --token, the token of the claim",
              "task:claim printed it; without --token, $REPRISE_CLAIM is it when it is of this "
              "effect");
}

std::string claim_outcome(const Document& document, const Style& style, const std::string& done,
                          const std::string& unchanged) {
  std::string words = document["dryRun"] ? "would be " + done : done;
  if (!document["recorded"] && !document["dryRun"]) words = unchanged;
  return paint(style, Colour::kBold, document["effectId"].get<std::string>()) + "  " + words;
}

std::string until(const Document& document) {
  if (!document.contains("claim")) return "\n";
  const Document& claim = document["claim"];
  return " by " + shown(claim["worker"].get<std::string>()) + " until " +
         claim["until"].get<std::string>() + "\n";
}

}  // namespace

Reply task_claim(const Arguments& arguments) {
  const Session session(arguments);
  const bool next = arguments.has("--next");
  if (next && (!arguments.positional("EFFECT").empty() || arguments.has("--key"))) {
    throw invalid_argument("--next and an effect are two ways to say which one",
                           "give one of them");
  }
  if (!next && arguments.has("--kind")) throw invalid_argument("--kind goes with --next", {});
  ClaimRequest request = claim_flags(arguments, session.context());
  Session::RunAndEffect named;
  if (next) {
    named.run = session.find_run();
    request.kind = arguments.value("--kind").value_or("");
  } else {
    named = session.find_effect("--key");
    request.effect = named.effect;
    request.token = session.claim_token(named);
  }
  request.dry_run = arguments.has("--dry-run");
  const Claimed claimed = claim_effect(*named.run.dir, session.context(), request);

  Reply reply = claim_reply(named.run, claimed, request.dry_run);
  JsonReader reader;
  reply.document["action"] = next_action(*named.run.dir, claimed.state, claimed.effect, reader);
  return reply;
}

std::string task_claim_text(const Document& document, const Style& style) {
  const Document& action = document["action"];
  std::string out =
      claim_outcome(document, style, "claimed", "is claimed already") + until(document);
  Table table;
  const auto row = [&table](const char* name, const std::string& text) {
    table.add({{name, Colour::kDim}, {text}});
  };
  if (document.contains("claim")) row("token", document["claim"]["token"]);
  row("work",
      shown(action["kind"].get<std::string>()) + "  " + shown(action["label"].get<std::string>()));
  return out + table.print(style, "  ");
}

Reply task_extend(const Arguments& arguments) {
  const Session session(arguments);
  const auto named = session.find_effect("--key");
  const auto request = holders_request(session, named, arguments);
  const Claimed extended =
      extend_claim(*named.run.dir, session.context(), request, lease_flag(arguments).value_or(0));
  return claim_reply(named.run, extended, request.dry_run);
}

std::string task_extend_text(const Document& document, const Style& style) {
  return claim_outcome(document, style, "claimed", "is claimed long enough") + until(document);
}

Reply task_release(const Arguments& arguments) {
  const Session session(arguments);
  const auto named = session.find_effect("--key");
  const auto request = holders_request(session, named, arguments);
  return claim_reply(named.run, release_claim(*named.run.dir, session.context(), request),
                     request.dry_run);
}

std::string task_release_text(const Document& document, const Style& style) {
  return claim_outcome(document, style, "free", "was given back before; nothing changed") + "\n";
}

Reply task_progress(const Arguments& arguments) {
  const Session session(arguments);
  const auto named = session.find_effect("--key");
  const auto request = lease_request(session, named, arguments);
  const auto value = read_value_flags(arguments, {session.working_dir(), named.run.path});
  if (!value) throw invalid_argument("task:progress needs one of --value and --value-inline", {});
  return claim_reply(named.run, report_progress(*named.run.dir, session.context(), request, *value),
                     request.dry_run);
}

std::string task_progress_text(const Document& document, const Style& style) {
  return claim_outcome(document, style, "recorded", "was recorded before; nothing changed") + "\n";
}

}  // namespace reprise
