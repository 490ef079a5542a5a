// What a command answers: a document and an exit code. Commands print nothing themselves.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "cli/document.h"
#include "journal/error.h"

namespace reprise {

class LongList;

struct Reply {
  Document document;
  Exit exit = Exit::kOk;
  /// They join the document, or go to standard error when it is text.
  std::vector<std::string> warnings = {};
  /// The elements of the command's stream (command_table.h), when they are too many to be held: the
  /// list in the document is empty then. The rows of their text stand before that of the document.
  std::shared_ptr<const LongList> list = nullptr;
};

/// How text looks. Commands' text functions take it; it is decided once, in output.cc.
struct Style {
  bool colour = false;
};

}  // namespace reprise
