// Keys and other secrets: where they come from, and how they are kept out of what is told.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace reprise {

/// {"env":NAME} | {"file":PATH} | {"command":[WORDS]}
struct SecretSource {
  enum class Kind { kEnvironment, kFile, kCommand };
  Kind kind = Kind::kEnvironment;
  std::string name;                ///< of the variable, or the path ("~/" is the user's folder)
  std::vector<std::string> words;  ///< of the command

  /// "the variable NAME", for messages. Never holds the secret.
  std::string shown() const;
};

/// Reads it from there, without the blanks around it. A file must be a regular one of this user's
/// or root's that nobody else may read; a command has 30 seconds, its output is the secret, and
/// `stopped` ends it. Throws WorkFailed KeyMissing with the place and what to do.
std::string read_secret(const SecretSource& source, const std::function<bool()>& stopped);

/// Throws as read_secret would, as far as that can be told without reading it or running anything:
/// a variable that is not set, a file that is not there or not closed to others, no such program.
/// `environment` says what a variable holds.
void look_for_secret(
    const SecretSource& source,
    const std::function<std::optional<std::string>(const std::string&)>& environment,
    const std::string& search_path);

/// Takes secrets out of texts. What is shorter than 8 bytes is no secret (servers without keys are
/// given words like "none").
class Redactor {
 public:
  void add(std::string_view secret);
  /// `text`, also JSON, with [redacted] in place of each secret.
  std::string redact(std::string text) const;
  /// How many bytes at the end of `text` could be the beginning of a secret.
  size_t held_back(std::string_view text) const;

 private:
  std::vector<std::string> x_secrets;  ///< longest first
};

/// The same for text that comes in pieces: a secret that is cut by their borders is found, too.
class RedactedStream {
 public:
  explicit RedactedStream(const Redactor& redactor) : x_redactor(redactor) {}
  /// What can be told by now.
  std::string feed(std::string_view piece);
  /// The rest.
  std::string finish();

 private:
  const Redactor& x_redactor;
  std::string x_kept;
};

}  // namespace reprise
