// The rows of a snapshot. They are most of it, and each command reads them: so they lie apart from
// the nouns that hold them, each once, and are read without building JSON values.
#pragma once

#include <map>
#include <string_view>
#include <vector>

#include "processes/channel/transcript.h"

namespace reprise::channel {

/// Nouns write the number of a row, and keep the row here. No row has the number null.
class RowsWriter {
 public:
  Json keep(const MessagePtr& row);
  /// All of them, an array.
  Json take() { return std::move(x_rows); }

 private:
  Json x_rows = Json::array();
  std::map<const Message*, size_t> x_numbers;
};

class RowsReader {
 public:
  /// `rows`: what take() gave, as text.
  explicit RowsReader(std::string_view rows);
  MessagePtr at(const Json& number) const;

 private:
  std::vector<MessagePtr> x_rows;
};

}  // namespace reprise::channel
