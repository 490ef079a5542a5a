// docs/journal-format.md shows a journal. It must be one that this program reads.
#include <catch2/catch.hpp>
#include <fstream>

#include "tests/journal/journal_fixture.h"

using namespace reprise;

TEST_CASE("the journal in the documentation is whole") {
  std::ifstream page(REPRISE_SOURCE_DIR "/docs/journal-format.md");
  std::string journal;
  for (std::string line; std::getline(page, line);) {
    if (line.starts_with("{\"")) journal += line + '\n';
  }
  MemoryFiles files;
  const auto run = files.root();
  run->make_dir("journal");
  put(*run, kFirstSegment, journal);

  std::vector<RecordType> types;
  const auto scan = read_journal(*run, nullptr, Keep::kNothing,
                                 [&](const RecordView& record) { types.push_back(record.type); });
  CHECK(types == std::vector<RecordType>{RecordType::kRunCreated, RecordType::kEffectRequested,
                                         RecordType::kEffectRequested,
                                         RecordType::kEffectResolved});
  CHECK(scan->tail.torn_bytes == 0);
}
