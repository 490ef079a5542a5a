// The start-up cache: the engine's self-hosted code and our prelude as bytecode, in one file of a
// private folder. It is bytecode: whoever can write it runs code. So it is used only when folder
// and file belong to us and nobody else can write them, and only when its checksum is right (the
// engine checks nothing but the build id).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace reprise::script {

class Cache {
 public:
  using Bytes = std::span<const uint8_t>;

  /// Maps the file of this engine and this version, if it is there and sound. An empty folder means
  /// no cache.
  explicit Cache(std::string_view folder);
  Cache(const Cache&) = delete;
  Cache& operator=(const Cache&) = delete;

  /// Empty when there is no sound cache. The bytes stay mapped until the process ends, as the
  /// engine wants.
  Bytes self_hosted() const { return self_hosted_; }
  Bytes prelude() const { return prelude_; }

  /// Replaces the file atomically; failures are silent, the next start just is slower.
  void save(Bytes self_hosted, Bytes prelude) const;

 private:
  bool folder_is_private() const;
  void map();

  std::string folder_;
  std::string path_;
  Bytes self_hosted_;
  Bytes prelude_;
};

/// What the bytecode depends on: the loaded engine library's build id, our version, and the
/// prelude's text.
const std::string& bytecode_id();

}  // namespace reprise::script
