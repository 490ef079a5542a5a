// What an agent did, step by step, out of the lines that it prints: messages, thoughts, the use of
// tools ("turns" and "tools" of "read", docs/executors.md).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/executors/json_fields.h"

namespace reprise {

class TurnReader {
 public:
  /// `read` is the executor's; without "turns" in it there are none.
  explicit TurnReader(const OrderedJson& read) : x_rules(field(read, "turns")) {}

  /// Takes what was printed next. True when turns came with it.
  bool feed(std::string_view bytes);
  /// [{"kind","text"?,"tool"?,"input"?,"id"?}], oldest first; the newest 200. Long texts are cut.
  const std::vector<OrderedJson>& turns() const { return x_turns; }
  /// What the last use of that tool was given; nullptr when it was not used.
  const OrderedJson* last_use(const std::string& tool) const;

 private:
  void take_line(std::string_view line);
  void take_item(const OrderedJson& document, const OrderedJson& item);

  OrderedJson x_rules;
  std::string x_line;
  bool x_too_long = false;  ///< the line is: it is passed over
  std::vector<OrderedJson> x_turns;
};

}  // namespace reprise
