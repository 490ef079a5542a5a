// The board remembers itself how far it has heard each channel, by record: whoever tells it the
// same again changes nothing. The index only finds the records, so it may be made anew at any time.
#include "engine/heartbeat/board_chore.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>

#include "engine/ask.h"
#include "engine/history.h"
#include "engine/home_run.h"
#include "engine/index/database.h"
#include "engine/run.h"
#include "engine/tell_home.h"
#include "journal/error.h"

namespace reprise {

namespace {

using Json = nlohmann::json;

/// Told at once.
constexpr int64_t kMostEvents = 100;
/// In one heartbeat, for one channel; the next one goes on.
constexpr int kMostRounds = 50;

constexpr const char* kNews =
    " FROM events WHERE run = ? AND seq > ? AND type IN ('todo.proposed', 'worker.spawned', "
    "'worker.progress', 'worker.completed', 'worker.failed')";

struct Ear {
  std::string channel;
  uint64_t seq = 0;    ///< heard up to there
  bool works = false;  ///< a worker of a card is there
};

HomeRun wanted_run() { return {.name = kBoardRun, .process = kBoardRun}; }

/// None without a board.
std::vector<Ear> ears_of(BeatHome& home) {
  std::vector<Ear> ears;
  home.asked.ask(home, wanted_run(), [&](const Machine& machine, const RunState&) {
    const auto answer = Json::parse(machine.answer(R"({"ask":"hearing"})"));
    for (const auto& ear : answer) {
      ears.push_back({ear["channel"], ear["seq"], ear["works"]});
    }
  });
  return ears;
}

/// Its workers will never be heard of again.
bool has_ended(Database& database, const std::string& channel) {
  auto run = database.prepare("SELECT status FROM runs WHERE name = ?");
  if (!run.bind(channel).next()) return true;
  const auto status = run.text(0);
  return status == "completed" || status == "halted" || status == "cancelled";
}

std::optional<Due> news_of(Database& database, const Ear& ear) {
  auto news = database.prepare(std::string("SELECT MIN(seq), COUNT(*)") + kNews);
  const bool any = news.bind(ear.channel, ear.seq).next() && news.number(1) > 0;
  const bool gone = ear.works && has_ended(database, ear.channel);
  if (!any && !gone) return std::nullopt;
  const auto first = any ? news.count(0) : ear.seq;
  return Due{.key = ear.channel + "@" + std::to_string(first),
             .what = any ? "tell the board what happened in " + ear.channel
                         : "tell the board that " + ear.channel + " has ended",
             .run = kBoardRun};
}

struct News {
  uint64_t seq = 0;
  std::string type;
  Place place;
};

std::vector<News> read_news(Database& database, const Ear& ear) {
  auto rows = database.prepare(std::string("SELECT seq, type, segment, offset, length") + kNews +
                               " ORDER BY seq LIMIT ?");
  std::vector<News> news;
  for (rows.bind(ear.channel, ear.seq, kMostEvents); rows.next();) {
    news.push_back({rows.count(0),
                    rows.text(1),
                    {static_cast<uint32_t>(rows.count(2)), rows.count(3),
                     static_cast<uint32_t>(rows.count(4))}});
  }
  return news;
}

/// What the board looks at.
Json gist_of(const std::string& payload) {
  const auto whole = Json::parse(payload);
  Json gist = Json::object();
  for (const auto* name :
       {"branchId", "todos", "workerId", "taskId", "progress", "report", "summary", "error"}) {
    if (const auto found = whole.find(name); found != whole.end()) gist[name] = *found;
  }
  return gist;
}

/// Of a channel that may be gone: nobody hears the rest then.
Json told_events(Dir& runs, const std::string& channel, const std::vector<News>& news) {
  Json events = Json::array();
  const auto dir = news.empty() ? nullptr : runs.open_dir(channel);
  if (!dir) return events;
  for (const auto& one : news) {
    JsonReader reader;
    std::string buffer;
    const auto& data = read_data(*dir, one.place, buffer, reader);
    events.push_back({{"seq", one.seq},
                      {"type", one.type},
                      {"payload", gist_of(load_value(data, "payload", *dir))}});
  }
  return events;
}

class BoardChore final : public Chore {
 public:
  std::string_view name() const override { return "board"; }

  std::vector<Due> due(BeatHome& home) override {
    const auto ears = ears_of(home);
    if (ears.empty()) return {};
    return home.index.ask([&](Database& database) {
      std::vector<Due> all;
      for (const auto& ear : ears) {
        if (auto due = news_of(database, ear)) all.push_back(std::move(*due));
      }
      return all;
    });
  }

  void perform(BeatHome& home, const Due& due) override {
    const auto board = find_home_run(home.workspace, wanted_run());
    if (!board) return;
    const auto channel = due.key.substr(0, due.key.rfind('@'));
    for (int round = 0; round < kMostRounds; ++round) {
      if (!tell_news(home, *board, channel)) return;
    }
  }

 private:
  /// False when that was all.
  static bool tell_news(BeatHome& home, const RunHandle& board, const std::string& channel) {
    const auto ears = ears_of(home);
    const auto ear = std::ranges::find(ears, channel, &Ear::channel);
    if (ear == ears.end()) return false;
    bool gone = false;
    const auto news = home.index.ask([&](Database& database) {
      gone = ear->works && has_ended(database, channel);
      return read_news(database, *ear);
    });
    const bool more = news.size() == static_cast<size_t>(kMostEvents);
    gone = gone && !more;
    if (news.empty() && !gone) return false;
    Json value = {{"channel", channel},
                  {"events", told_events(home.workspace.runs(), channel, news)}};
    if (gone) value["gone"] = true;
    Signal signal;
    signal.name = "channel.heard";
    signal.value = parse_value(value.dump(), "what a channel told");
    tell_home_run(home.workspace, home.context, board, {signal});
    return more;
  }
};

}  // namespace

std::unique_ptr<Chore> make_board_chore() { return std::make_unique<BoardChore>(); }

}  // namespace reprise
