// What a command answers: a document and an exit code. Commands print nothing themselves.
#pragma once

#include <string>
#include <vector>

#include "cli/document.h"
#include "journal/error.h"

namespace reprise {

struct Reply {
  Document document;
  Exit exit = Exit::kOk;
  /// They join the document, or go to standard error when it is text.
  std::vector<std::string> warnings = {};
};

/// How text looks. Commands' text functions take it; it is decided once, in output.cc.
struct Style {
  bool colour = false;
};

}  // namespace reprise
