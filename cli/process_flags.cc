#include "cli/process_flags.h"

#include "cli/user_files.h"
#include "cli/user_values.h"
#include "journal/error.h"

namespace reprise {

ProcessChoice choose_entry(std::string entry, const std::string& working_dir) {
  ProcessChoice choice;
  constexpr std::string_view kBuiltIn = "builtin:";
  if (entry.starts_with(kBuiltIn)) {
    choice.built_in = entry.substr(kBuiltIn.size());
    return choice;
  }
  // A file's name may hold a '#', the name of an export cannot.
  if (const size_t hash = entry.rfind('#'); hash != std::string::npos) {
    choice.export_name = entry.substr(hash + 1);
    entry.resize(hash);
  }
  choice.entry = entry.starts_with('/') ? entry : working_dir + "/" + entry;
  return choice;
}

ProcessChoice choose_process(const Arguments& arguments, const std::string& working_dir) {
  const std::string built_in = arguments.value("--process").value_or("");
  const std::string entry = arguments.value("--entry").value_or("");
  if (!entry.empty() && !built_in.empty()) {
    throw Error(Exit::kUsage, "INVALID_ARGUMENT", "--entry and --process name two processes",
                "give one of them");
  }
  ProcessChoice choice;
  choice.built_in = built_in;
  if (!entry.empty()) choice = choose_entry(entry, working_dir);
  choice.process_id = arguments.value("--process-id").value_or("");
  return choice;
}

Value read_inputs(const Arguments& arguments, const std::string& working_dir) {
  const auto file = arguments.value("--inputs");
  const std::string document = file ? read_user_file(*file, {working_dir}, "--inputs") : "";
  if (file && document.empty()) {
    throw Error(Exit::kUsage, "INVALID_JSON", "--inputs " + *file + " is empty",
                "an empty object is {}");
  }
  return make_inputs(document, arguments.values("--input"));
}

std::vector<std::string> without_meaning(const Arguments& arguments,
                                         std::initializer_list<const char*> flags) {
  std::vector<std::string> warnings;
  for (const char* flag : flags) {
    if (arguments.has(flag)) warnings.push_back(std::string(flag) + " has no meaning here");
  }
  return warnings;
}

}  // namespace reprise
