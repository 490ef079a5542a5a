// Why a piece of work failed: thrown inside an executor where it is known, and posted as the
// effect's error. It never leaves perform().
#pragma once

#include <exception>
#include <string>
#include <utility>

namespace reprise {

class WorkFailed : public std::exception {
 public:
  enum class Again { kMayHelp, kIsUseless };

  /// `name` is what retry policies and processes look at, `message` is for people, `data` a JSON
  /// object or empty.
  WorkFailed(std::string name, std::string message, Again again = Again::kIsUseless,
             std::string data = {})
      : x_name(std::move(name)),
        x_message(std::move(message)),
        x_data(std::move(data)),
        x_again(again) {}

  const char* what() const noexcept override { return x_message.c_str(); }
  const std::string& name() const { return x_name; }
  const std::string& message() const { return x_message; }
  const std::string& data() const { return x_data; }
  bool is_final() const { return x_again == Again::kIsUseless; }

 private:
  std::string x_name;
  std::string x_message;
  std::string x_data;
  Again x_again;
};

}  // namespace reprise
