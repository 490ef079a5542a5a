#include "processes/channel/rows.h"

#include <array>
#include <charconv>
#include <stdexcept>

#include "json/scan.h"
#include "json/string.h"

namespace reprise::channel {

namespace {

Json stored_row(const Message& row) {
  return {row.row,       row.place,       row.msg_id,  row.role,       row.kind,
          row.author_id, row.author_name, row.content, row.characters, row.rest};
}

template <typename Number>
void read(std::string_view raw, Number& number) {
  std::from_chars(raw.data(), raw.data() + raw.size(), number);
}

void read(std::string_view raw, std::string& text) {
  size_t end = 0;
  if (json::read_string(raw, 0, &end, &text)) throw std::runtime_error("a row is not as written");
}

MessagePtr restored_row(std::string_view raw) {
  auto row = std::make_shared<Message>();
  size_t count = 0;
  const auto next = [&](std::string_view value) {
    switch (count++) {
      case 0:
        return read(value, row->row);
      case 1:
        return read(value, row->place);
      case 2:
        return read(value, row->msg_id);
      case 3:
        return read(value, row->role);
      case 4:
        return read(value, row->kind);
      case 5:
        return read(value, row->author_id);
      case 6:
        return read(value, row->author_name);
      case 7:
        return read(value, row->content);
      case 8:
        return read(value, row->characters);
      default:
        return read(value, row->rest);
    }
  };
  json::elements(raw, next);
  return row;
}

}  // namespace

Json RowsWriter::keep(const MessagePtr& row) {
  if (row == nullptr) return {};
  const auto [found, is_new] = x_numbers.emplace(row.get(), x_rows.size());
  if (is_new) x_rows.push_back(stored_row(*row));
  return found->second;
}

RowsReader::RowsReader(std::string_view rows) {
  json::elements(rows, [&](std::string_view raw) { x_rows.push_back(restored_row(raw)); });
}

MessagePtr RowsReader::at(const Json& number) const {
  return number.is_null() ? nullptr : x_rows.at(number.get<size_t>());
}

}  // namespace reprise::channel
