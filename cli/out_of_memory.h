// What a command says when memory has run out. Nothing here allocates.
#pragma once

#include "journal/error.h"

namespace reprise {

/// The error OUT_OF_MEMORY, as a document or as text; what it returns is exit 8.
Exit say_out_of_memory(bool as_document);

/// Once called, an allocation that fails where nothing may be thrown ends the process with that
/// error, as text. Any other call of std::terminate still aborts.
void say_so_when_terminated();

}  // namespace reprise
