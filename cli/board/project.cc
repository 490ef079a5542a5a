// project:create, list, show, link.
#include "cli/board/board_home.h"
#include "cli/board/commands.h"
#include "cli/channel/signal_request.h"
#include "cli/text.h"

namespace reprise {
namespace {

constexpr size_t kProjectNameWidth = 40;

Document links_of(const BoardHome& home, const std::vector<std::string>& channels, bool past) {
  Document links = Document::array();
  for (const auto& channel : channels) links.push_back(home.link(channel, past));
  return links;
}

/// How many cards of the project there are of each status.
Document counts_of(const Document& cards, const std::string& project) {
  Document counts = Document::object();
  for (const Document& card : cards) {
    if (card["projectId"] != project) continue;
    const std::string status = card["status"];
    counts[status] = counts.value(status, 0) + 1;
  }
  return counts;
}

/// Tells the board one thing about a project, and shows what became of it.
Reply tell_of(BoardHome& home, const std::string& id, const BoardHome::Message& message) {
  const auto heard = home.tell({message}, {{"ask", "project"}, {"id", id}});
  Reply reply{.document = new_document(), .warnings = heard.warnings};
  reply.document["recorded"] = heard.recorded;
  reply.document["project"] = heard.answer;
  return reply;
}

std::string counts_text(const Document& counts) {
  std::string text;
  for (const auto& [status, count] : counts.items()) {
    text += (text.empty() ? "" : ", ") + std::to_string(count.get<int>()) + " " + status;
  }
  return text.empty() ? "no cards" : text;
}

std::string channels_text(const Document& project) {
  std::string text;
  for (const Document& channel : project["channels"]) {
    text += (text.empty() ? "" : ", ") + shown(channel.get<std::string>());
  }
  return text;
}

std::string head_text(const Document& project, const Style& style) {
  const auto id = member_text(project, "projectId");
  const auto name = member_text(project, "name");
  return paint(style, Colour::kBold, shown(id)) +
         (name == id ? "" : "  " + shown(name, kProjectNameWidth)) + "\n";
}

}  // namespace

Reply project_create(const Arguments& arguments) {
  const Session session(arguments);
  BoardHome home(arguments, session, true);
  const auto id = checked_text(arguments.positional("PROJECT"), "PROJECT");
  Document value = {{"projectId", id}};
  for (const char* name : {"name", "description"}) {
    const auto flag = "--" + std::string(name);
    if (const auto text = arguments.value(flag)) value[name] = checked_text(*text, flag);
  }
  value["channels"] = links_of(home, arguments.values("--channel"), arguments.has("--past"));
  return tell_of(home, id, {"project.create", value});
}

std::string project_create_text(const Document& document, const Style& style) {
  const Document& project = document["project"];
  const auto channels = channels_text(project);
  const bool recorded = document["recorded"];
  return head_text(project, style) + (recorded ? "" : "  was recorded before; nothing changed\n") +
         (channels.empty() ? "" : "  channels  " + channels + "\n");
}

Reply project_list(const Arguments& arguments) {
  const Session session(arguments);
  BoardHome home(arguments, session, false);
  Reply reply{.document = new_document()};
  Document& projects = reply.document["projects"] = Document::array();
  const Document board = home.ask({{"ask", "board"}});
  if (board.is_null()) return reply;
  for (const Document& project : board["projects"]) {
    Document& row = projects.emplace_back(project);
    row["cards"] = counts_of(board["cards"], row["projectId"]);
  }
  return reply;
}

std::string project_list_text(const Document& document, const Style& style) {
  Table table;
  for (const Document& project : document["projects"]) {
    table.add({{shown(member_text(project, "projectId")), Colour::kBold},
               {counts_text(project["cards"])},
               {channels_text(project), Colour::kDim}});
  }
  if (table.empty()) return "no projects\n  next  reprise project:create PROJECT\n";
  return table.print(style);
}

Reply project_show(const Arguments& arguments) {
  const Session session(arguments);
  BoardHome home(arguments, session, false);
  const auto id = arguments.positional("PROJECT");
  Reply reply{.document = new_document()};
  Document& project = reply.document["project"] = home.project(id);
  project["cards"] = counts_of(home.ask({{"ask", "board"}})["cards"], id);
  return reply;
}

std::string project_show_text(const Document& document, const Style& style) {
  const Document& project = document["project"];
  Table table;
  const auto add = [&](const char* name, const std::string& text) {
    if (!text.empty()) table.add({{name, Colour::kDim}, {text}});
  };
  add("description", shown(member_text(project, "description")));
  add("channels", channels_text(project));
  add("cards", counts_text(project["cards"]));
  add("created", member_text(project, "createdAt") + " by " + shown(member_text(project, "by")));
  return head_text(project, style) + table.print(style, "  ");
}

Reply project_link(const Arguments& arguments) {
  const Session session(arguments);
  BoardHome home(arguments, session, false);
  const auto id = arguments.positional("PROJECT");
  home.project(id);
  const bool unlinks = arguments.has("--unlink");
  const auto channels = arguments.positionals("CHANNEL");
  Document links = Document::array();
  for (const auto& channel : channels) {
    // One that is gone can be taken away all the same.
    links.push_back(unlinks ? Document{{"channel", checked_text(channel, "CHANNEL")}, {"from", 0}}
                            : home.link(channel, arguments.has("--past")));
  }
  return tell_of(
      home, id,
      {unlinks ? "project.unlink" : "project.link", {{"projectId", id}, {"channels", links}}});
}

std::string project_link_text(const Document& document, const Style& style) {
  const auto channels = channels_text(document["project"]);
  return head_text(document["project"], style) + "  channels  " +
         (channels.empty() ? "none" : channels) + "\n";
}

}  // namespace reprise
