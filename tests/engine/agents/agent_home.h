// A home with agents on a real disk.
#pragma once

#include <filesystem>
#include <fstream>
#include <string>

#include "engine/agents/agent.h"
#include "tests/journal/temp_dir.h"

namespace reprise::test {

struct AgentHome {
  TempDir temp;
  std::string home = temp.path();

  void write(const std::string& id, const std::string& name, const std::string& text) const {
    std::filesystem::create_directories(agent_folder(home, id));
    std::ofstream(agent_folder(home, id) + "/" + name, std::ios::binary) << text;
  }
};

/// The message of the Error that the action throws, with its hint; empty when it throws none.
template <typename Action>
std::string complaint_of(Action action) {
  try {
    action();
  } catch (const Error& error) {
    return error.message() + "; " + error.hint();
  }
  return {};
}

}  // namespace reprise::test
