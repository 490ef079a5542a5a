// Text for people: safe to show on a terminal, aligned, coloured where that is wanted.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "cli/reply.h"

namespace reprise {

enum class Colour { kPlain, kBold, kDim, kRed, kGreen, kYellow, kBlue };

/// A word as a shell takes it: in single quotes unless nothing in it is special.
std::string shell_word(std::string_view word);

/// Data as it may be shown: control and bidi characters and bytes that are no UTF-8 become visible
/// escapes (\n, \x1b, \u202e), so that what a process or a tool wrote cannot act on the terminal.
/// Printable text is unchanged.
std::string shown(std::string_view data);
/// The same of several lines: line breaks and tabs stay.
std::string shown_lines(std::string_view data);
/// As shown(), cut to at most `width` characters with "..." at its end.
std::string shown(std::string_view data, size_t width);

/// `text` in a colour; unchanged when the style has none.
std::string paint(const Style& style, Colour colour, std::string_view text);

/// The colour of a run's or an effect's status.
Colour status_colour(std::string_view status);

/// "ID  STATUS  REASON", without the reason where there is none or it only repeats the status. Ends
/// the line.
std::string headline(const Style& style, std::string_view run, std::string_view status,
                     std::string_view reason);

/// How long something took, in its two largest units: "350 ms", "4.2 s", "3 m 20 s", "2 d 4 h".
std::string duration_text(int64_t ms);

/// "1 signal", "2 signals": the count and the words for one or for any other number.
std::string counted(uint64_t count, std::string_view one, std::string_view many);

/// How many columns valid UTF-8 takes, counting every code point as one.
size_t width_of(std::string_view text);

struct Cell {
  std::string text;  ///< already safe to show
  Colour colour = Colour::kPlain;
};
using Row = std::vector<Cell>;

/// Columns with two spaces between them, as wide as the rows need that are printed in them; the
/// last cell of a row is not padded.
class Columns {
 public:
  void fit(const Row& row);
  /// The line of a row that was fitted before.
  std::string line(const Row& row, const Style& style, std::string_view indent = {}) const;

 private:
  std::vector<size_t> x_widths;
};

/// Rows of cells in columns.
class Table {
 public:
  using Cell = reprise::Cell;
  void add(Row row) { x_rows.push_back(std::move(row)); }
  bool empty() const { return x_rows.empty(); }
  std::string print(const Style& style, std::string_view indent = {}) const;

 private:
  std::vector<Row> x_rows;
};

/// Breaks a paragraph into lines of at most `width` columns, each with `indent` before it and a
/// newline behind it.
std::string wrapped(std::string_view paragraph, size_t width, std::string_view indent);

}  // namespace reprise
