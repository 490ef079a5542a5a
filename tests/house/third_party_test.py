"""What others wrote lies in third_party/ as they wrote it, with its licence."""

import hashlib
import unittest

from source_tree import ROOT

FOLDER = ROOT / "third_party"


class ThirdParty(unittest.TestCase):
    def test_each_library_is_the_one_that_its_sums_name(self):
        libraries = sorted(FOLDER.iterdir())
        self.assertTrue(libraries)
        for library in libraries:
            with self.subTest(library=library.name):
                listed = {}
                for line in (library / "SHA256SUMS").read_text().splitlines():
                    digest, name = line.split("  ")
                    listed[name] = digest
                found = {
                    path.relative_to(library).as_posix():
                        hashlib.sha256(path.read_bytes()).hexdigest()
                    for path in (library / "include").rglob("*") if path.is_file()
                }
                self.assertEqual(found, listed)

    def test_each_library_tells_its_licence_and_where_it_is_from(self):
        for library in FOLDER.iterdir():
            with self.subTest(library=library.name):
                self.assertIn("Copyright", (library / "LICENSE").read_text())
                self.assertRegex((library / "README.md").read_text(), "[0-9a-f]{64}")


if __name__ == "__main__":
    unittest.main()
