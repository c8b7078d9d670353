#include <gtest/gtest.h>

#include <filesystem>

#include "compiler/support/error.hpp"
#include "compiler/support/file.hpp"
#include "compiler/support/hash.hpp"
#include "compiler/support/nearest.hpp"
#include "compiler/support/xml.hpp"

namespace proxima {
namespace {

namespace fs = std::filesystem;

class Files : public testing::Test {
 protected:
  void SetUp() override {
    folder = fs::temp_directory_path() / ("proxima_support_" + std::to_string(::getpid()));
    fs::create_directories(folder);
  }
  void TearDown() override { fs::remove_all(folder); }
  std::size_t entries() const {
    return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
  }
  fs::path folder;
};

TEST_F(Files, AreReadBackAsWritten) {
  const std::string content("a\0b\n", 4);
  write_file(folder / "x.bin", content);
  EXPECT_EQ(read_file(folder / "x.bin"), content);
  EXPECT_EQ(entries(), 1u);
}

TEST_F(Files, KeepTheirOldContentWhenAWriterFails) {
  write_file(folder / "x.txt", "old");
  EXPECT_THROW(write_through_temporary(folder / "x.txt",
                                       [](const fs::path& temporary) {
                                         write_file(temporary, "half");
                                         fail("writer gave up");
                                       }),
               Error);
  EXPECT_EQ(read_file(folder / "x.txt"), "old");
  EXPECT_EQ(entries(), 1u);
}

TEST_F(Files, NameTheMissingOne) {
  try {
    read_file(folder / "absent.json");
    FAIL() << "expected an Error";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("absent.json"), std::string::npos);
  }
  EXPECT_THROW(read_file(folder), Error);
  EXPECT_THROW(write_file(folder / "no" / "such" / "folder.txt", "x"), Error);
}

TEST(Hash, TellsContentsApart) {
  EXPECT_EQ(hash_bytes("abc"), hash_bytes("abc"));
  EXPECT_NE(hash_bytes("abc"), hash_bytes("abd"));
  EXPECT_EQ(hash_bytes("abc").hex().size(), 32u);
}

TEST(EscapeXml, LeavesNothingThatXmlWouldRead) {
  EXPECT_EQ(escape_xml("R&D <a> \"b\" 'c'"), "R&amp;D &lt;a&gt; &quot;b&quot; 'c'");
}

TEST(NearestName, FindsTheSlipAndNothingElse) {
  const std::vector<std::string> known = {"tolerance", "time_step", "steps"};
  EXPECT_EQ(nearest_name("tolerence", known), "tolerance");
  EXPECT_EQ(nearest_name("timestep", known), "time_step");
  EXPECT_EQ(nearest_name("quux", known), "");
}

}  // namespace
}  // namespace proxima
