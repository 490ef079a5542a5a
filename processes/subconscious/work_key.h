// Keys of requests: "NOUN:ID". The nouns of works are in matrix.h; besides them:
//
//   evaluate:k17/1            of tick k17, attempt 1
//   act-full:k17/task-4/2     of tick k17 for task-4, attempt 2
//   card:card-2               the question to a person
//   approved:card-2/1/1       what was approved: first run, attempt 1
//   again:act:k17/task-4/2    the pause before that attempt, a sleep
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace reprise::subconscious {

constexpr std::string_view kEvaluate = "evaluate";
constexpr std::string_view kCard = "card";
constexpr std::string_view kApproved = "approved";
constexpr std::string_view kAgain = "again";

struct WorkKey {
  std::string subject;  ///< the tick or the card
  std::string task_id;  ///< of works
  uint64_t run = 0;     ///< of approved
  int attempt = 1;
};

WorkKey parse_work_key(std::string_view id);

/// Is it done with full permission?
bool is_full(std::string_view noun);

}  // namespace reprise::subconscious
