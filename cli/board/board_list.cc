// board:list, board:show.
#include <algorithm>
#include <array>
#include <span>

#include "cli/board/board_home.h"
#include "cli/board/commands.h"
#include "cli/text.h"

namespace reprise {
namespace {

constexpr size_t kColumnWidth = 24;
constexpr size_t kBoardColumns = 4;  ///< side by side; the others follow below
constexpr size_t kTitleLines = 3;

// In the order of the columns.
constexpr std::array kStatuses = {"pending_approval", "backlog",       "ready",
                                  "in_progress",      "waiting_input", "needs_review",
                                  "blocked",          "done",          "cancelled"};

bool is_card_wanted(const Document& card, const std::string& project,
                    const std::vector<std::string>& statuses, bool all) {
  if (!project.empty() && card["projectId"] != project) return false;
  const std::string status = card["status"];
  if (!statuses.empty()) return std::ranges::find(statuses, status) != statuses.end();
  return all || (status != "done" && status != "cancelled");
}

void check_statuses(const std::vector<std::string>& statuses) {
  for (const auto& status : statuses) {
    if (std::ranges::find(kStatuses, status) != kStatuses.end()) continue;
    std::string all;
    for (const char* one : kStatuses) all += (all.empty() ? "" : ", ") + std::string(one);
    throw Error(Exit::kUsage, "INVALID_ARGUMENT",
                "--status: there is no \"" + shown(status, 80) + "\"", "one of " + all);
  }
}

/// The lines of one column: its head, then its cards.
using Column = std::vector<Table::Cell>;

void add_card(Column& column, const Document& card) {
  const auto priority = member_text(card, "priority");
  auto mark = shown(member_text(card, "cardId"));
  if (priority != "medium") mark += " " + shown(priority);
  column.push_back({std::move(mark), Colour::kBold});
  const auto title = wrapped(shown(member_text(card, "title")), kColumnWidth, "");
  size_t begin = 0;
  for (size_t line = 0; line < kTitleLines && begin < title.size(); ++line) {
    const auto end = title.find('\n', begin);
    column.push_back({shown(title.substr(begin, end - begin), kColumnWidth)});
    begin = end + 1;
  }
  const auto agent = member_text(card, "agent");
  const auto who = agent.empty() ? member_text(card, "channel") : agent;
  if (!who.empty()) column.push_back({shown("@" + who, kColumnWidth), Colour::kDim});
  column.push_back({});
}

std::vector<Column> columns_of(const Document& cards) {
  std::vector<Column> columns;
  for (const char* status : kStatuses) {
    Column column;
    size_t count = 0;
    for (const Document& card : cards) {
      if (card["status"] != status) continue;
      add_card(column, card);
      ++count;
    }
    if (count == 0) continue;
    column.insert(column.begin(),
                  {std::string(status) + " (" + std::to_string(count) + ")", card_colour(status)});
    columns.push_back(std::move(column));
  }
  return columns;
}

std::string band_text(std::span<const Column> columns, const Style& style) {
  Table table;
  size_t rows = 0;
  for (const auto& column : columns) rows = std::max(rows, column.size());
  for (size_t row = 0; row + 1 < rows; ++row) {
    std::vector<Table::Cell> cells;
    for (const auto& column : columns) {
      cells.push_back(row < column.size() ? column[row] : Table::Cell{});
    }
    table.add(std::move(cells));
  }
  return table.print(style);
}

std::string next_text(const Document& card) {
  const auto id = shown(member_text(card, "cardId"));
  const auto status = member_text(card, "status");
  if (status == "pending_approval") return "reprise board:approve " + id + " --ready";
  const bool waits = status == "waiting_input" && card.contains("worker");
  if (waits) {
    return "reprise worker:route " + shown(member_text(card["worker"], "channel")) + " " +
           shown(member_text(card["worker"], "workerId")) + " --command continue --text TEXT";
  }
  return status == "needs_review" ? "reprise board:move " + id + " done" : "";
}

}  // namespace

Reply board_list(const Arguments& arguments) {
  const Session session(arguments);
  BoardHome home(arguments, session, false);
  const auto project = arguments.positional("PROJECT");
  const auto statuses = arguments.values("--status");
  check_statuses(statuses);
  if (!project.empty()) home.project(project);
  const bool all = arguments.has("--all");
  Reply reply{.document = new_document()};
  Document& cards = reply.document["cards"] = Document::array();
  const Document board = home.ask({{"ask", "board"}}, all ? Past::kWhole : Past::kPresent);
  if (board.is_null()) return reply;
  for (const Document& card : board["cards"]) {
    if (is_card_wanted(card, project, statuses, all)) cards.push_back(card);
  }
  return reply;
}

std::string board_list_text(const Document& document, const Style& style) {
  const auto columns = columns_of(document["cards"]);
  if (columns.empty()) return "no cards\n  next  reprise board:add PROJECT TITLE\n";
  std::string text;
  for (size_t first = 0; first < columns.size(); first += kBoardColumns) {
    const auto count = std::min(kBoardColumns, columns.size() - first);
    text += (first == 0 ? "" : "\n") + band_text(std::span(columns).subspan(first, count), style);
  }
  return text;
}

Reply board_show(const Arguments& arguments) {
  const Session session(arguments);
  BoardHome home(arguments, session, false);
  Reply reply{.document = new_document()};
  reply.document["card"] = home.card(arguments.positional("CARD"), Past::kWhole);
  return reply;
}

std::string board_show_text(const Document& document, const Style& style) {
  const Document& card = document["card"];
  Table table;
  const auto add = [&](const char* name, const std::string& text) {
    if (!text.empty()) table.add({{name, Colour::kDim}, {text}});
  };
  add("project", shown(member_text(card, "projectId")));
  add("priority", shown(member_text(card, "priority")));
  add("reason", shown(member_text(card, "reason")));
  add("channel", shown(member_text(card, "channel")));
  add("agent", shown(member_text(card, "agent")));
  if (card.contains("worker")) add("worker", shown(member_text(card["worker"], "workerId")));
  add("added", member_text(card, "createdAt") + " by " + shown(member_text(card, "by")));
  for (const Document& move : card["moves"]) {
    add("moved", member_text(move, "at") + " to " + shown(member_text(move, "to")) + " by " +
                     shown(member_text(move, "by")));
  }
  add("next", next_text(card));
  const auto description = member_text(card, "description");
  return card_line(card, style) +
         (description.empty() ? "" : wrapped(shown_lines(description), 98, "  ")) +
         table.print(style, "  ");
}

}  // namespace reprise
