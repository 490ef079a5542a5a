// The processes below this one, also those that forked away from their parents.
#pragma once

#include <sys/types.h>

#include <vector>

namespace reprise {

/// Whoever loses its parent below this process becomes its child, as long as this object lives.
class Subreaper {
 public:
  Subreaper();
  ~Subreaper();
  Subreaper(const Subreaper&) = delete;
  Subreaper& operator=(const Subreaper&) = delete;

 private:
  int x_before = 0;
};

/// All living processes below this one, parents before their children, as /proc tells; without
/// those of `spared` and what is below them. What has ended and was not waited for is none.
std::vector<pid_t> living_descendants(const std::vector<pid_t>& spared = {});

/// Does this process have children, ended ones included?
bool has_children();

}  // namespace reprise
