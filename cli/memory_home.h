// What the commands memory:* have in common: the run that they write to, filters, documents.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cli/arguments.h"
#include "cli/session.h"
#include "engine/memory/recall.h"
#include "engine/tell.h"

namespace reprise {

/// The run of the home that tells what memory:* are given, and its process.
constexpr const char* kMemoryRun = "memory";

class MemoryHome {
 public:
  /// The home is made when it is missing and `writes`.
  MemoryHome(const Arguments& arguments, const Session& session, bool writes);

  bool exists() const { return x_workspace.exists(); }
  /// The time of this command.
  int64_t now_ms() const { return x_session.context().clock.now_ms(); }
  /// The answer of `question`, or an empty one in a home that does not exist.
  template <typename Question>
  auto ask(const Question& question) {
    using Rows = decltype(question(std::declval<Database&>()));
    if (!x_workspace.exists()) return Rows();
    return x_session.index(x_workspace).ask(question);
  }
  /// All of the signals in one commit, and the events that follow from them. The run is made when
  /// there is none; with --now it is a simulated one. Errors: those of open_home_run and tell.
  Told tell(const std::vector<Signal>& signals);
  /// Error MEMORY_NOT_FOUND, exit 3, names the first that does not exist or is forgotten; when its
  /// run cannot be read, the error says that instead (exit 5, 8).
  void require(const std::vector<std::string>& ids);
  /// Whether two memories are linked just so: what complete_link made.
  bool has_link(const std::string& link);

 private:
  void require_readable(const std::string& id);

  const Arguments& x_arguments;
  const Session& x_session;
  Workspace x_workspace;
};

/// "memory/m7", as recalls of processes say, is "m7".
std::string memory_id(const std::string& word);
/// --scope, --kind, --class. Error INVALID_ARGUMENT.
MemoryFilter memory_filter(const Arguments& arguments, int64_t now_ms);
/// Error INVALID_ARGUMENT; `flag` named it.
Scope scope_flag(const std::string& text, const char* flag);

/// {memoryId, note, summary?, kind, class, scope, source?, importance, ..., state, ...}
Document memory_document(const Memory& memory, int64_t now_ms);
Document link_document(const MemoryLink& link);
/// A row: id, kind, scope, note.
std::vector<std::string> memory_row(const Document& memory, size_t width);

Signal memory_signal(const char* name, const std::string& json, const std::string& key = {});

}  // namespace reprise
