// Repair keeps what is whole and sets the rest aside; it never guesses at what a damaged line said.
#include "journal/damage.h"
#include "journal/journal.h"
#include "journal/scan.h"
#include "journal/settle.h"
#include "journal/survey.h"
#include "journal/witness.h"

namespace reprise {

namespace {

Error loss_not_accepted(const Damage& damage) {
  const Error error = damage_error(damage);
  return Error(Exit::kUsage, "LOSS_NOT_ACCEPTED",
               error.message() + "; repairing it means to go on without what is lost",
               "repeat with --accept-loss (--dry-run shows what would be dropped)",
               error.details());
}

/// Without a witness the next writer takes nothing for durable. That writer is Journal::open, here
/// and now.
void forget_witness(Dir& run) {
  if (run.remove("state/head")) run.sync_dir("state");
}

}  // namespace

Repair repair_journal(Dir& run, bool accept_loss, bool dry_run) {
  const RecordVisitor ignore = [](const RecordView&) {};
  ScanRequest request;
  request.witness = read_witness(run);
  request.look_for_holes = true;
  const ScanResult scan = *scan_journal(run, request, ignore);
  const Findings findings = judge(run, scan, request.witness);
  const std::optional<Damage>& damage = findings.damage;

  Repair repair;
  repair.before = {scan.head, scan.head.seq, findings.tail, damage};
  repair.needed = findings.torn || damage;
  if (!repair.needed) return repair;
  if (scan.head.seq == 0) {
    throw Error(Exit::kCorrupt, "JOURNAL_LOST",
                damage_error(*damage).message() + "; no whole commit is left",
                damage_error(*damage).hint(), damage_error(*damage).details());
  }
  repair.dropped_bytes = bytes_behind(run, scan.head);
  repair.dropped_records = damage ? damage->records_after : 0;
  if (dry_run) return repair;
  if (damage && !accept_loss) throw loss_not_accepted(*damage);

  repair.kept_in = cut_tail(run, scan.head, damage ? "journal/damaged" : "journal/torn");
  if (damage) forget_witness(run);
  Journal::open(run, nullptr, Keep::kNothing, ignore);
  return repair;
}

}  // namespace reprise
