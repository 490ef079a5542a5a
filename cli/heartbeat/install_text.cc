#include "cli/heartbeat/install.h"
#include "cli/text.h"
#include "journal/hash.h"
#include "journal/ids.h"

namespace reprise {
namespace {

constexpr std::string_view kMark = "# reprise heartbeat of ";

/// In a crontab a percent sign ends the line.
std::string crontab_word(const std::string& word) {
  std::string text;
  for (const char letter : shell_word(word)) {
    if (letter == '%') text += '\\';
    text += letter;
  }
  return text;
}

/// As systemd reads an argument of ExecStart=, and the value of a setting.
std::string unit_word(const std::string& word) {
  std::string text = "\"";
  for (const char letter : word) {
    if (letter == '"' || letter == '\\') text += '\\';
    if (letter == '%' || letter == '$') text += letter;
    text += letter;
  }
  return text + "\"";
}

std::string unit_path(const std::string& path) {
  std::string text;
  for (const char letter : path) {
    if (letter == '%') text += '%';
    text += letter;
  }
  return text;
}

}  // namespace

std::string crontab_mark(const Installation& installation) {
  // Closed, so that the mark of no home is part of another one's.
  return std::string(kMark) + "[" + crontab_word(installation.home) + "]";
}

std::string crontab_line(const Installation& installation) {
  const std::string file = crontab_word(installation.environment_file);
  return "* * * * * if [ -r " + file + " ]; then set -a; . " + file + "; set +a; fi; " +
         crontab_word(installation.binary) + " heartbeat --home " +
         crontab_word(installation.home) + (installation.drives ? " --drive" : "") +
         " >/dev/null " + crontab_mark(installation);
}

std::string with_crontab_line(const std::string& crontab, const Installation& installation) {
  const std::string mark = crontab_mark(installation);
  std::string text;
  bool found = false;
  for (size_t begin = 0; begin < crontab.size();) {
    const size_t end = std::min(crontab.find('\n', begin), crontab.size());
    const std::string line = crontab.substr(begin, end - begin);
    begin = end + 1;
    if (!line.ends_with(mark)) {
      text += line + "\n";
    } else if (!found) {
      text += crontab_line(installation) + "\n";
      found = true;
    }
  }
  return found ? text : text + crontab_line(installation) + "\n";
}

std::string unit_name(const Installation& installation) {
  return "reprise-heartbeat-" + format_hex64(hash64(installation.home)).substr(0, 8);
}

std::string service_text(const Installation& installation) {
  return "[Unit]\nDescription=What is due in " + unit_path(installation.home) +
         "\n\n[Service]\nType=oneshot\n"
         "# What is being performed goes on when the beat has ended.\nKillMode=process\n"
         "EnvironmentFile=-" +
         unit_path(installation.environment_file) +
         "\nExecStart=" + unit_word(installation.binary) + " heartbeat --home " +
         unit_word(installation.home) + (installation.drives ? " --drive" : "") + "\n";
}

std::string timer_text(const Installation& installation) {
  return "[Unit]\nDescription=Every minute: what is due in " + unit_path(installation.home) +
         "\n\n[Timer]\nOnCalendar=minutely\nAccuracySec=1s\n\n[Install]\nWantedBy=timers.target\n";
}

std::string environment_text(const std::string& search_path) {
  std::string text =
      "# What heartbeats have in their environment, NAME='VALUE' a line: the credentials of\n"
      "# executors, and where programs are found.\n";
  if (search_path.find_first_of("'\n") == std::string::npos) {
    text += "PATH='" + search_path + "'\n";
  }
  return text;
}

}  // namespace reprise
