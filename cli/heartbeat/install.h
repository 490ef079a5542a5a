// The texts that install a heartbeat: a line for cron, units for systemd.
#pragma once

#include <string>
#include <vector>

namespace reprise {

/// Where everything is, all paths absolute.
struct Installation {
  std::string binary;
  std::string home;
  std::string environment_file;
  bool drives = true;
};

/// Whoever looks for the line finds it by its end.
std::string crontab_mark(const Installation& installation);
/// Without its end of line.
std::string crontab_line(const Installation& installation);
/// The crontab with the line in it, in place of another one of the same home.
std::string with_crontab_line(const std::string& crontab, const Installation& installation);

/// "reprise-heartbeat", and something that tells this home from others.
std::string unit_name(const Installation& installation);
std::string service_text(const Installation& installation);
std::string timer_text(const Installation& installation);

/// What a new file for the credentials holds.
std::string environment_text(const std::string& search_path);

}  // namespace reprise
