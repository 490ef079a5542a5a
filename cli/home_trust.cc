// trust: the user's word that a home may run programs.
#include "cli/commands.h"
#include "cli/configured.h"
#include "cli/session.h"
#include "cli/text.h"

namespace reprise {
namespace {

const char* trust_reason(Trust trust) {
  switch (trust) {
    case Trust::kNamed:
      return "named";
    case Trust::kRecorded:
      return "recorded";
    case Trust::kNone:
      return "missing";
    case Trust::kUnknown:
      return "unknown";
    case Trust::kChanged:
      return "changed";
    case Trust::kForeign:
      return "foreign";
  }
  return "";
}

std::string in_words(const Document& document) {
  const std::string reason = document["reason"];
  if (reason == "named") return "it is yours, and you named it";
  if (reason == "recorded") return "since " + document["trustedAt"].get<std::string>();
  if (reason == "missing") return "there is no such home";
  if (reason == "foreign") return "it belongs to " + shown(document["owner"].get<std::string>());
  if (reason == "unknown") return "it was found, and nobody said that it may run programs";
  std::string text = "its config.json has changed";
  const char* between = ": ";
  for (const Document& key : document["changed"]) {
    text += between + shown(key.get<std::string>());
    between = ", ";
  }
  return text;
}

Error forbidden(std::string message, std::string hint) {
  return {Exit::kForbidden, "UNTRUSTED_HOME", std::move(message), std::move(hint)};
}

// What can be read is what is trusted.
void trust_home(const Arguments& arguments, const HomePlace& home, const TrustVerdict& verdict,
                TrustStore& store, Clock& clock) {
  if (!environment("REPRISE_EFFECT").empty()) {
    throw forbidden("inside an executor no home can be trusted: $REPRISE_EFFECT is set",
                    "a person does that");
  }
  if (verdict.trust == Trust::kNone) {
    throw Error(Exit::kNotFound, "HOME_NOT_FOUND", "there is no home at " + verdict.home,
                "make one: reprise init");
  }
  if (verdict.trust == Trust::kForeign) {
    throw forbidden("the home " + verdict.home + " belongs to " + verdict.owner,
                    "its owner can share it with a group: reprise init --shared=group");
  }
  configuration(arguments, home);
  store.trust(verdict.home, verdict.config, clock);
}

}  // namespace

Reply trust(const Arguments& arguments) {
  const Session session(arguments);
  const HomePlace home = session.workspace().home();
  if (arguments.has("--revoke") && arguments.has("--show")) {
    throw Error(Exit::kUsage, "INVALID_ARGUMENT", "--show changes nothing, and --revoke does",
                "give one of them");
  }
  TrustStore store(state_folder());
  TrustVerdict verdict = judge_home(home, store);
  Reply reply{.document = new_document()};
  if (arguments.has("--revoke")) {
    reply.document["revoked"] = store.revoke(verdict.home);
  } else if (!arguments.has("--show")) {
    trust_home(arguments, home, verdict, store, session.context().clock);
  }
  verdict = judge_home(home, store);
  reply.document["home"] = verdict.home;
  reply.document["trusted"] = is_trusted(verdict.trust);
  reply.document["reason"] = trust_reason(verdict.trust);
  if (!verdict.digest.empty()) reply.document["digest"] = verdict.digest;
  if (!verdict.at.empty()) reply.document["trustedAt"] = verdict.at;
  if (!verdict.owner.empty()) reply.document["owner"] = verdict.owner;
  if (verdict.trust == Trust::kChanged) reply.document["changed"] = verdict.changed;
  return reply;
}

std::string trust_text(const Document& document, const Style& style) {
  const bool trusted = document["trusted"];
  return paint(style, Colour::kBold, shown(document["home"].get<std::string>())) + "  " +
         (trusted ? paint(style, Colour::kGreen, "trusted")
                  : paint(style, Colour::kRed, "not trusted")) +
         ": " + in_words(document) + "\n";
}

}  // namespace reprise
