// Lines are added under a lock, and only advance() writes the file anew.
#include "engine/hooks/delivery_log.h"

#include <algorithm>
#include <sstream>

#include "engine/identity.h"
#include "journal/error.h"
#include "journal/real_files.h"

namespace reprise {

namespace {

constexpr const char* kHooksFolder = "hooks";
constexpr std::string_view kEnding = ".log";
constexpr const char* kDeliveryMagic = "reprise-hook 1 ";
constexpr int64_t kHooksLockTimeoutMs = 10'000;
constexpr size_t kErrorBytes = 200;

std::string one_line(std::string text) {
  text = text.substr(0, kErrorBytes);
  for (char& c : text) {
    if (static_cast<unsigned char>(c) < 0x20) c = ' ';
  }
  return text;
}

std::string line_of_outcome(const EventId& event, const Undelivered& outcome) {
  const auto head = event.stream() + " " + std::to_string(event.seq) + " " +
                    std::to_string(outcome.attempts) + " ";
  if (outcome.parked) return "p " + head + one_line(outcome.error) + "\n";
  return "f " + head + std::to_string(outcome.next_ms) + " " + one_line(outcome.error) + "\n";
}

std::string rest_of(std::istringstream& words) {
  std::string rest;
  std::getline(words >> std::ws, rest);
  return rest;
}

}  // namespace

std::string EventId::text() const {
  return with_identity(run + "/" + std::to_string(seq), identity);
}

std::string EventId::stream() const { return with_identity(run, identity); }

DeliveryLog::DeliveryLog(std::string home_path, std::string hook)
    : x_home(std::move(home_path)), x_name(std::move(hook) + std::string(kEnding)) {}

std::unique_ptr<Dir> DeliveryLog::folder(bool create) const {
  const auto home = open_real_dir(x_home, false);
  if (!home) return nullptr;
  if (create) home->make_dir(kHooksFolder);
  return home->open_dir(kHooksFolder);
}

bool DeliveryLog::exists() const {
  const auto dir = folder(false);
  return dir && dir->stat(x_name).has_value();
}

void DeliveryLog::begin(int64_t since_ms) {
  const auto dir = folder(true);
  if (!dir || dir->stat(x_name)) return;
  const auto lock = dir->lock(x_name + ".lock", LockMode::kExclusive, kHooksLockTimeoutMs, "hooks");
  if (!lock || dir->stat(x_name)) return;
  replace_file(*dir, x_name, kDeliveryMagic + std::to_string(since_ms) + "\n", false);
}

void DeliveryLog::end() {
  if (const auto dir = folder(false)) dir->rename(x_name, x_name + ".ended", true);
}

bool DeliveryLog::read() {
  const auto dir = folder(false);
  const auto text = dir ? read_file(*dir, x_name) : std::nullopt;
  x_undelivered.clear();
  x_delivered.clear();
  x_seen.clear();
  if (!text) return false;
  std::string_view rest = *text;
  for (size_t end; (end = rest.find('\n')) != std::string_view::npos; rest.remove_prefix(end + 1)) {
    take(rest.substr(0, end));
  }
  return true;
}

void DeliveryLog::take(std::string_view line) {
  std::istringstream words{std::string(line)};
  std::string kind;
  EventId event;
  words >> kind;
  if (kind == "reprise-hook") {
    words >> kind >> x_since_ms;
  } else if (kind == "c") {
    words >> x_epoch >> x_place;
  } else if (words >> event.run >> event.seq) {
    if (const auto slash = event.run.find('/'); slash != std::string::npos) {
      event.identity = event.run.substr(slash + 1);
      event.run.resize(slash);
    }
    Undelivered outcome;
    if (kind == "s") note_seen(event);
    if (kind == "d") {
      x_undelivered.erase(event);
      x_delivered[event] = true;
    }
    if (kind != "f" && kind != "p") return;
    words >> outcome.attempts;
    if (kind == "f") words >> outcome.next_ms;
    outcome.parked = kind == "p";
    outcome.error = rest_of(words);
    x_undelivered[event] = std::move(outcome);
  }
}

void DeliveryLog::note_seen(const EventId& event) {
  auto& seen = x_seen[event.stream()];
  seen = std::max(seen, event.seq);
}

bool DeliveryLog::knows(const EventId& event) const {
  const auto seen = x_seen.find(event.stream());
  return (seen != x_seen.end() && event.seq <= seen->second) || x_delivered.contains(event) ||
         x_undelivered.contains(event);
}

void DeliveryLog::append(const std::string& lines) {
  const auto dir = folder(true);
  const auto lock =
      dir ? dir->lock(x_name + ".lock", LockMode::kExclusive, kHooksLockTimeoutMs, "hooks")
          : nullptr;
  if (!lock) throw Error(Exit::kLocked, "LOCKED", "the log of the hook is locked: " + x_name);
  auto text = read_file(*dir, x_name).value_or("");
  // A line that was cut off is none.
  text.resize(text.rfind('\n') == std::string::npos ? 0 : text.rfind('\n') + 1);
  const auto file = dir->open(x_name, Access::kWrite);
  if (!file) throw Error(Exit::kNotFound, "HOOK_NOT_FOUND", "the log of the hook is gone");
  file->write_at(text.size(), lines);
}

void DeliveryLog::add_delivered(const EventId& event) {
  append("d " + event.stream() + " " + std::to_string(event.seq) + "\n");
  x_undelivered.erase(event);
  x_delivered[event] = true;
}

void DeliveryLog::add_undelivered(const EventId& event, const Undelivered& outcome) {
  append(line_of_outcome(event, outcome));
  x_undelivered[event] = outcome;
}

void DeliveryLog::advance(const std::string& epoch, int64_t place,
                          const std::vector<EventId>& seen) {
  const auto dir = folder(true);
  const auto lock =
      dir ? dir->lock(x_name + ".lock", LockMode::kExclusive, kHooksLockTimeoutMs, "hooks")
          : nullptr;
  if (!lock || !read()) return;
  for (const auto& event : seen) note_seen(event);
  std::erase_if(x_delivered, [&](const auto& entry) {
    const auto known = x_seen.find(entry.first.stream());
    return known != x_seen.end() && entry.first.seq <= known->second;
  });
  x_epoch = epoch;
  x_place = place;
  replace_file(*dir, x_name, compact(), false);
}

std::string DeliveryLog::compact() const {
  std::string text = kDeliveryMagic + std::to_string(x_since_ms) + "\n";
  for (const auto& [run, seq] : x_seen) text += "s " + run + " " + std::to_string(seq) + "\n";
  for (const auto& [event, sent] : x_delivered) {
    text += "d " + event.stream() + " " + std::to_string(event.seq) + "\n";
  }
  for (const auto& [event, outcome] : x_undelivered) text += line_of_outcome(event, outcome);
  if (!x_epoch.empty()) text += "c " + x_epoch + " " + std::to_string(x_place) + "\n";
  return text;
}

std::vector<std::string> logged_hooks(const std::string& home_path) {
  std::vector<std::string> hooks;
  const auto home = open_real_dir(home_path, false);
  const auto dir = home ? home->open_dir(kHooksFolder) : nullptr;
  if (!dir) return hooks;
  for (const auto& name : dir->list("")) {
    if (name.ends_with(kEnding)) hooks.push_back(name.substr(0, name.size() - kEnding.size()));
  }
  return hooks;
}

}  // namespace reprise
