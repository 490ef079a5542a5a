// File layout: Header, self-hosted bytes, prelude bytes. The checksum covers both and the build id,
// so that a file of another engine, a torn write and a flipped bit all look the same: no cache.
#include "processes/script/cache.h"

#include <fcntl.h>
#include <link.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstring>

#include "processes/script/embedded_js.h"
#include "processes/script/hash.h"

namespace reprise::script {

namespace {

struct Header {
  char magic[8];
  uint64_t checksum;
  uint64_t self_hosted_size;
  uint64_t prelude_size;
};

constexpr char kMagic[8] = {'R', 'P', 'S', 'C', 'A', 'C', 'H', '1'};

std::string_view text_view(Cache::Bytes bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

uint64_t checksum(Cache::Bytes self_hosted, Cache::Bytes prelude) {
  return hash64(text_view(prelude), hash64(text_view(self_hosted), hash64(bytecode_id())));
}

// The NT_GNU_BUILD_ID note of the library, in hex.
std::string build_id_of(const dl_phdr_info& library) {
  std::string hex;
  for (int i = 0; i < library.dlpi_phnum; ++i) {
    const ElfW(Phdr)& segment = library.dlpi_phdr[i];
    if (segment.p_type != PT_NOTE) continue;
    const auto address = library.dlpi_addr + segment.p_vaddr;
    // NOLINTNEXTLINE(performance-no-int-to-ptr): dl_iterate_phdr gives addresses as numbers.
    const char* at = reinterpret_cast<const char*>(address);
    const char* end = at + segment.p_memsz;
    while (at + sizeof(ElfW(Nhdr)) <= end) {
      ElfW(Nhdr) note;
      std::memcpy(&note, at, sizeof note);
      const char* name = at + sizeof note;
      const char* content = name + ((note.n_namesz + 3) & ~3U);
      if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4 &&
          std::memcmp(name, "GNU", 4) == 0) {
        for (unsigned byte = 0; byte < note.n_descsz; ++byte) {
          auto value = static_cast<unsigned char>(content[byte]);
          hex += "0123456789abcdef"[value >> 4];
          hex += "0123456789abcdef"[value & 15];
        }
      }
      at = content + ((note.n_descsz + 3) & ~3U);
    }
  }
  return hex;
}

int find_engine(dl_phdr_info* library, size_t, void* out) {
  if (!library->dlpi_name || !std::strstr(library->dlpi_name, "libmozjs-")) return 0;
  *static_cast<std::string*>(out) = build_id_of(*library);
  return 1;
}

const std::string& library_id() {
  static const std::string kId = [] {
    std::string id;
    dl_iterate_phdr(find_engine, &id);
    return id;
  }();
  return kId;
}

bool ours_alone(const struct stat& info) {
  return info.st_uid == geteuid() && (info.st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

bool write_all(int fd, const void* data, size_t size) {
  const char* at = static_cast<const char*>(data);
  while (size > 0) {
    ssize_t written = write(fd, at, size);
    if (written <= 0) return false;
    at += written;
    size -= static_cast<size_t>(written);
  }
  return true;
}

}  // namespace

const std::string& bytecode_id() {
  static const std::string kId =
      library_id() + "-" REPRISE_VERSION "-" + std::to_string(hash64(kPreludeJs));
  return kId;
}

Cache::Cache(std::string_view folder) : folder_(folder) {
  if (folder_.empty() || library_id().empty()) return;
  path_ = folder_ + "/mozjs-" + library_id() + "-" REPRISE_VERSION ".cache";
  if (folder_is_private()) map();
}

bool Cache::folder_is_private() const {
  struct stat info;
  return lstat(folder_.c_str(), &info) == 0 && S_ISDIR(info.st_mode) && ours_alone(info);
}

void Cache::map() {
  int fd = open(path_.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
  if (fd < 0) return;
  struct stat info;
  bool sound = fstat(fd, &info) == 0 && S_ISREG(info.st_mode) && ours_alone(info) &&
               info.st_size > static_cast<off_t>(sizeof(Header));
  auto size = static_cast<size_t>(info.st_size);
  void* mapped = sound ? mmap(nullptr, size, PROT_READ, MAP_PRIVATE, fd, 0) : MAP_FAILED;
  close(fd);
  if (mapped == MAP_FAILED) return;
  Header header;
  std::memcpy(&header, mapped, sizeof header);
  size_t content = size - sizeof header;
  const auto* bytes = static_cast<const uint8_t*>(mapped) + sizeof header;
  if (std::memcmp(header.magic, kMagic, sizeof kMagic) == 0 && header.self_hosted_size <= content &&
      header.prelude_size == content - header.self_hosted_size) {
    Bytes self_hosted(bytes, header.self_hosted_size);
    Bytes prelude(bytes + header.self_hosted_size, header.prelude_size);
    if (checksum(self_hosted, prelude) == header.checksum) {
      self_hosted_ = self_hosted;
      prelude_ = prelude;
      return;
    }
  }
  munmap(mapped, size);
}

void Cache::save(Bytes self_hosted, Bytes prelude) const {
  if (path_.empty()) return;
  // Its parents, too: a new user has no ~/.cache. What exists, or cannot be made, shows below.
  for (size_t end = folder_.find('/', 1); end != std::string::npos;
       end = folder_.find('/', end + 1))
    mkdir(folder_.substr(0, end).c_str(), 0700);
  mkdir(folder_.c_str(), 0700);
  if (!folder_is_private()) return;
  std::string aside = path_ + "." + std::to_string(getpid());
  int fd = open(aside.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
  if (fd < 0) return;
  Header header = {};
  std::memcpy(header.magic, kMagic, sizeof kMagic);
  header.checksum = checksum(self_hosted, prelude);
  header.self_hosted_size = self_hosted.size();
  header.prelude_size = prelude.size();
  bool written = write_all(fd, &header, sizeof header) &&
                 write_all(fd, self_hosted.data(), self_hosted.size()) &&
                 write_all(fd, prelude.data(), prelude.size());
  close(fd);
  if (!written || rename(aside.c_str(), path_.c_str()) != 0) unlink(aside.c_str());
}

}  // namespace reprise::script
