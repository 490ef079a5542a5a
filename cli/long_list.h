// A list that is too long to be held, a journal of a million records, say: its elements are made
// one after the other while it is printed.
#pragma once

#include <functional>

#include "cli/document.h"
#include "cli/text.h"

namespace reprise {

class LongList {
 public:
  virtual ~LongList() = default;
  /// Visits the elements in order: the same ones whenever it is called. Whoever made the list saw
  /// that all of them can be made, so an Error is of what was damaged since. What `visit` throws
  /// ends it.
  virtual void each(const std::function<void(const Document& element)>& visit) const = 0;
  /// An element for people.
  virtual Row row(const Document& element) const = 0;
};

}  // namespace reprise
