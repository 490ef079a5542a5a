// init: a home of one's own, for a project or a group.
#include <filesystem>

#include "cli/commands.h"
#include "cli/configured.h"
#include "cli/session.h"
#include "cli/text.h"
#include "engine/home/init.h"

namespace reprise {
namespace {

// The folder DIR gets a .reprise/; without DIR a home that was named is made, else ./.reprise.
std::string home_to_make(const Arguments& arguments, const Session& session) {
  const std::string dir = arguments.positional("DIR");
  std::filesystem::path home = arguments.value("--home").value_or(environment("REPRISE_HOME"));
  if (!dir.empty() || home.empty()) home = std::filesystem::path(dir) / ".reprise";
  return (session.working_dir() / home).lexically_normal().string();
}

// What is empty can be trusted: whatever comes into it later, this user's commands put there.
bool trust_if_empty(const InitializedHome& made, Clock& clock) {
  const HomePlace found{made.path, FoundBy::kAncestor};
  TrustStore store(state_folder());
  const TrustVerdict verdict = judge_home(found, store);
  const bool can = made.empty && verdict.trust == Trust::kUnknown && !state_folder().empty();
  if (can) store.trust(verdict.home, verdict.config, clock);
  return can || is_trusted(verdict.trust);
}

}  // namespace

Reply init(const Arguments& arguments) {
  const Session session(arguments);
  const InitializedHome made =
      init_home(home_to_make(arguments, session), arguments.has("--shared"));
  Reply reply{.document = new_document()};
  reply.document["home"] = made.path;
  reply.document["made"] = made.made;
  reply.document["shared"] = made.shared;
  reply.document["trusted"] = trust_if_empty(made, session.context().clock);
  return reply;
}

std::string init_text(const Document& document, const Style& style) {
  std::string made;
  for (const Document& name : document["made"]) made += " " + name.get<std::string>();
  std::string out = paint(style, Colour::kBold, shown(document["home"].get<std::string>())) + "  " +
                    (made.empty() ? "was there, nothing to make" : "made:" + made) +
                    (document["shared"] ? ", shared with its group" : "") + "\n";
  if (!document["trusted"]) {
    out += "  it may run programs after reprise trust: look at what is in it first\n";
  }
  return out;
}

}  // namespace reprise
