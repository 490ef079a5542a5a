// The document that run:drive and run:start end with.
#pragma once

#include "cli/reply.h"
#include "cli/session.h"
#include "engine/drive/drive.h"

namespace reprise {

/// {"event":"ended", the run, "status", "reason", "output" or "error", "performed", "waits", ...}
Document drive_document(const RunHandle& run, const RunFolder& folder, const DriveEnd& end);

/// 0 completed; 1 failed, halted, cancelled; 8 too little space; 10 it waits for people, signals,
/// executors or was stopped; 11 it waits for time only.
Exit drive_exit(const DriveEnd& end);

/// Says how much is free and how much is wanted, when that kept work from beginning.
void warn_of_space(Reply& reply, const DriveEnd& end, uint64_t min_free_bytes);

/// What was not recorded is written where there is space: into `home`/spool, the working directory
/// or the folder for temporary files. "unstored" of the document names the files, and the commands
/// that post them.
void spool_results(Document& document, const Session& session, const std::string& home,
                   const DriveEnd& end);

}  // namespace reprise
