#include "processes/subconscious/texts.h"

#include "processes/kit/finish.h"

namespace reprise::subconscious {

std::string_view cut(std::string_view text, size_t bytes) {
  if (text.size() <= bytes) return text;
  // A byte of the form 10xxxxxx goes on with a character.
  while (bytes > 0 && (static_cast<unsigned char>(text[bytes]) & 0xC0U) == 0x80U) --bytes;
  return text.substr(0, bytes);
}

std::string shortened(std::string_view text, size_t bytes) {
  return text.size() <= bytes ? std::string(text) : std::string(cut(text, bytes)) + "...";
}

std::string words_of(const kit::Json& result) {
  if (result.is_string()) return result.get<std::string>();
  if (result.is_null()) return "";
  for (const char* name : {"text", "summary", "output", "result", "stdout"}) {
    if (auto text = kit::text_of(result, name); !text.empty()) {
      return kit::with_cut_reason(result, text);
    }
  }
  return result.dump();
}

}  // namespace reprise::subconscious
