// Files of SQLite whose pages carry sums.
#pragma once

namespace reprise::sqlite {

/// The name under which open_v2 finds it.
inline constexpr const char* kCheckedFiles = "reprise-checked";
/// The bytes at the end of every page that are not SQLite's.
inline constexpr int kReservedBytes = 8;

/// Makes it known to SQLite; repeating it is harmless. An SQLite status.
int register_checked_files();

}  // namespace reprise::sqlite
