// The numbers that a page carries: what comes out of its base64 is what went in, to the rounding that is stated.
#include <gtest/gtest.h>

#include <cstring>
#include <limits>
#include <nlohmann/json.hpp>

#include "apps/report/base64.hpp"
#include "tests/report/strip.hpp"

namespace proxima::test {
namespace {

using report::Motion;

std::string text64(std::string_view text) { return report::base64(std::as_bytes(std::span(text))); }

// RFC 4648, section 10.
TEST(Base64, HasTheValuesOfTheStandard) {
  EXPECT_EQ(text64(""), "");
  EXPECT_EQ(text64("f"), "Zg==");
  EXPECT_EQ(text64("fo"), "Zm8=");
  EXPECT_EQ(text64("foo"), "Zm9v");
  EXPECT_EQ(text64("foob"), "Zm9vYg==");
  EXPECT_EQ(text64("fooba"), "Zm9vYmE=");
  EXPECT_EQ(text64("foobar"), "Zm9vYmFy");
}

template <class Number>
std::vector<Number> decode(const std::string& base64) {
  const std::string digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string bytes;
  unsigned group = 0;
  int bits = 0;
  for (const char letter : base64) {
    if (letter == '=') break;
    group = group << 6 | static_cast<unsigned>(digits.find(letter));
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    bytes += static_cast<char>(group >> bits & 255);
  }
  std::vector<Number> numbers(bytes.size() / sizeof(Number));
  std::memcpy(numbers.data(), bytes.data(), numbers.size() * sizeof(Number));
  return numbers;
}

TEST(Motion, PositionsComeBackWithinTheRoundingStated) {
  const Motion motion = strip(20);
  report::Rounding rounding;
  const auto json = encode(motion, rounding);
  EXPECT_NEAR(rounding.position, 0.4 * 2 / 65535 / 2, 0.01 * rounding.position);  // it swings 0.4 m up and down, nearly
  EXPECT_EQ(decode<float>(json["rest"]), motion.rest);
  EXPECT_EQ(decode<std::uint32_t>(json["triangles"]), motion.triangles);
  EXPECT_EQ(decode<std::uint32_t>(json["lines"]), motion.lines);
  ASSERT_EQ(json["positions"].size(), 20u);
  double worst = 0;
  for (std::size_t k = 0; k < 20; ++k) {
    const auto levels = decode<std::uint16_t>(json["positions"][k]);
    ASSERT_EQ(levels.size(), motion.rest.size());
    for (std::size_t i = 0; i < levels.size(); ++i) {
      const double value = json["lower"][i % 3].get<double>() + levels[i] / 65535. * json["span"][i % 3].get<double>();
      worst = std::max(worst, std::abs(value - motion.positions[k][i]));
    }
  }
  EXPECT_LE(worst, rounding.position * 1.001);
  EXPECT_GT(worst, rounding.position / 10);
}

TEST(Motion, FieldsComeBackWithinTheRoundingOfTheirFrame) {
  const Motion motion = strip(5);
  report::Rounding rounding;
  const auto json = encode(motion, rounding);
  const auto& number = json["fields"][1];
  EXPECT_EQ(number["on"], "elements");
  EXPECT_EQ(number["lower"], 0);
  EXPECT_EQ(number["greatest"], 32);
  for (std::size_t k = 0; k < 5; ++k) {
    const auto& frame = number["frames"][k];
    const auto levels = decode<std::uint8_t>(frame["values"]);
    ASSERT_EQ(levels.size(), 9u);
    const double lower = frame["lower"], upper = frame["upper"];
    EXPECT_EQ(upper, 8.0 * static_cast<double>(k));
    for (std::size_t e = 0; e < 9; ++e)
      EXPECT_NEAR(lower + levels[e] / 254. * (upper - lower), motion.fields[1].frames[k][e],
                  (upper - lower) / 508 + 1e-9);
  }
  const auto& material = json["fields"][2];
  EXPECT_EQ(material["categories"], (std::vector<std::string>{"soft", "stiff"}));
  EXPECT_EQ(material["frames"].size(), 1u);
}

TEST(Motion, WhatIsNoNumberIsMarked) {
  Motion motion = strip(1);
  motion.fields.resize(1);
  motion.fields[0].frames[0][3] = std::numeric_limits<float>::quiet_NaN();
  report::Rounding rounding;
  const auto levels = decode<std::uint8_t>(encode(motion, rounding)["fields"][0]["frames"][0]["values"]);
  EXPECT_EQ(levels[3], 255);
  EXPECT_LT(levels[2], 255);
}

// One element in a thousand that is far out does not take the colours from the others.
TEST(Motion, ColoursEndAtTheBulkOfTheValues) {
  Motion motion = strip(1);
  report::Field& field = motion.fields[1];
  field.frames.assign(1, std::vector<float>(9, 1.f));
  motion.triangles.clear();
  for (unsigned e = 0; e < 4000; ++e) motion.triangles.insert(motion.triangles.end(), {0, 1, 2});
  field.frames[0].assign(4001, 1.f);
  field.frames[0][17] = 1000;
  motion.fields = {field};
  report::Rounding rounding;
  const auto json = encode(motion, rounding)["fields"][0];
  EXPECT_EQ(json["upper"], 1);
  EXPECT_EQ(json["greatest"], 1000);
}

TEST(Motion, SizesThatDoNotAgreeAreADefect) {
  report::Rounding rounding;
  Motion motion = strip(3);
  motion.positions.pop_back();
  EXPECT_THROW(encode(motion, rounding), std::logic_error);
  motion = strip(3);
  motion.fields[0].frames.pop_back();
  EXPECT_THROW(encode(motion, rounding), std::logic_error);
  motion = strip(3);
  motion.fields[1].frames[2].pop_back();
  EXPECT_THROW(encode(motion, rounding), std::logic_error);
}

TEST(Frames, AreSpreadEvenlyWithBothEnds) {
  using Frames = std::vector<int>;
  EXPECT_EQ(report::spread_frames(4, 200), (Frames{0, 1, 2, 3, 4}));
  EXPECT_EQ(report::spread_frames(100, 5), (Frames{0, 25, 50, 75, 100}));
  EXPECT_EQ(report::spread_frames(7, 2), (Frames{0, 7}));
  EXPECT_EQ(report::spread_frames(7, 1), (Frames{7}));
  EXPECT_EQ(report::spread_frames(0, 200), (Frames{0}));
  const auto frames = report::spread_frames(1000, 201);
  for (std::size_t k = 0; k < frames.size(); ++k) EXPECT_EQ(frames[k], 5 * static_cast<int>(k));
}

}  // namespace
}  // namespace proxima::test
