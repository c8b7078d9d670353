#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "compiler/support/csv.hpp"

namespace proxima {
namespace {

using testing::HasSubstr;

CsvTable read(std::string_view content) { return {"table.csv", content, {"name", "x"}}; }

std::string fault(std::string_view content) {
  try {
    const auto table = read(content);
    for (std::size_t row = 0; row < table.rows(); ++row) {
      table.text(row, 0);
      table.number(row, 1);
    }
  } catch (const Error& error) {
    const std::string message = error.what();
    EXPECT_TRUE(message.starts_with("table.csv:")) << message;
    return message.substr(9);
  }
  return "";
}

TEST(Csv, IsReadAsSpreadsheetsAndStatisticsProgramsWriteIt) {
  for (const char* content :
       {"name,x\na b,1.5\nc,-2e-3\n", "name,x\r\na b,1.5\r\nc,-2e-3\r\n", "x,name\n1.5,a b\n-2e-3,c",
        "\xef\xbb\xbf\"name\",\"x\"\n\"a b\",1.5\n\n\"c\",-2e-3\n\n", " name , x\n a b ,+1.5\n\t\"c\" , -2e-3 \n"}) {
    const auto table = read(content);
    ASSERT_EQ(table.rows(), 2u) << content;
    EXPECT_EQ(table.text(0, 0), "a b");
    EXPECT_EQ(table.text(1, 0), "c");
    EXPECT_EQ(table.number(0, 1), 1.5);
    EXPECT_EQ(table.number(1, 1), -2e-3);
  }
  EXPECT_EQ(read("name,x\n\"a, \"\"b\"\"\",1\n").text(0, 0), "a, \"b\"");
}

TEST(Csv, FieldsAreReadBack) {
  for (const char* text : {"plain", "with, comma", "with \"quotes\"", "\"", " blanks "})
    EXPECT_EQ(read(fmt::format("x,name\n1,{}\n", csv_field(text))).text(0, 0), text);
}

TEST(Csv, NamesFileAndLineOfWhatIsWrong) {
  EXPECT_EQ(fault(""), ": is empty; its first line should be name,x");
  EXPECT_EQ(fault("\r\n\n"), ": is empty; its first line should be name,x");
  EXPECT_EQ(fault("name,x\n"), ": has a header and no rows");
  EXPECT_EQ(fault("name\na\n"), ":1: there is no column 'x'; name,x are needed");
  EXPECT_EQ(fault("name,x,mass\na,1,2\n"), ":1: column 'mass' is none of name,x; others are to be left out");
  EXPECT_EQ(fault("\nnames,x\na,1\n"), ":2: column 'names' is none of name,x; did you mean 'name'?");
  EXPECT_EQ(fault("name,x,x\na,1,2\n"), ":1: column 'x' is there twice");
  EXPECT_THAT(fault("name;x\na;1,5\n"), HasSubstr(":1: columns are separated by commas here"));
  EXPECT_EQ(fault("name,x\na,1\n\nb,2,3\n"),
            ":4: has 3 fields, the header names 2 columns; numbers have points, no commas");
  EXPECT_EQ(fault("name,x\na\n"), ":2: has 1 field, the header names 2 columns");
  EXPECT_EQ(fault("name,x\na,\n"), ":2: 'x' is empty");
  EXPECT_EQ(fault("name,x\n,1\n"), ":2: 'name' is empty");
  EXPECT_EQ(fault("name,x\na,1\nb,1.5m\n"), ":3: 'x' is '1.5m', a finite number is needed");
  EXPECT_THAT(fault("name,x\n,m\na,1\n"), HasSubstr(":2: 'name' is empty"));
  EXPECT_EQ(fault("name,x\n-,m\na,1\n"),
            ":2: 'x' is 'm', a finite number is needed; a line of units below the header is to be left out");
  for (const char* number : {"nan", "inf", "1e999", "-", "+-1", "0x10", "1 2"})
    EXPECT_THAT(fault(fmt::format("name,x\na,{}\n", number)), HasSubstr("a finite number is needed")) << number;
  EXPECT_THAT(fault("name,x\n\"a,1\n"), HasSubstr(":2: a double quote is not closed"));
  EXPECT_THAT(fault("name,x\n\"a\"b,1\n"), HasSubstr(":2: a double quote is not closed, or not in front of a comma"));
}

}  // namespace
}  // namespace proxima
