// Each mistake of an author's that shows while an energy is traced: the message names the file, the line and the cure.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <proxima/dsl.hpp>
#include <string>
#include <thread>

#include "compiler/dsl/trace.hpp"
#include "compiler/ir/print.hpp"
#include "compiler/support/error.hpp"

namespace {

using namespace proxima::dsl;

std::string message_of(Scalar (*energy)()) {
  static Scalar (*current)();
  current = energy;
  try {
    proxima::dsl::trace({"wrong", "wrong.cpp", 1, [] { return current().handle(); }});
  } catch (const proxima::Error& error) {
    return error.what();
  }
  return "no error";
}

// The message starts with this file and the given line, and contains the words.
void expect_mistake(const std::string& message, unsigned line, const std::vector<std::string>& words) {
  EXPECT_THAT(message, testing::HasSubstr("test_mistakes.cpp:" + std::to_string(line) + ": "));
  for (const std::string& word : words) EXPECT_THAT(message, testing::HasSubstr(word));
}

Scalar some_energy() { return squared_norm(deformation_gradient()); }

TEST(Mistake, ParameterWithoutAName) {
  expect_mistake(message_of([] { return parameter("", pascal, 1) * some_energy(); }), __LINE__, {"needs a name"});
}

TEST(Mistake, DefaultOutsideItsBounds) {
  const auto message = message_of([] {
    auto nu = parameter("nu", dimensionless, 0.5).between(-1, 0.5);
    return nu * some_energy();
  });
  expect_mistake(message, __LINE__ - 3, {"'nu'", "0.5", "above -1 and below 0.5"});
  expect_mistake(message_of([] { return parameter("E", pascal, 0).positive() * some_energy(); }), __LINE__,
                 {"'E' is 0", "above 0"});
}

TEST(Mistake, BoundsThatAllowNothing) {
  expect_mistake(message_of([] { return parameter("a", metre, 1).above(2).below(1) * some_energy(); }), __LINE__,
                 {"'a'"});
  expect_mistake(message_of([] { return parameter("a", metre, 1).between(3, 3) * some_energy(); }), __LINE__,
                 {"'a' has no allowed value"});
}

TEST(Mistake, ConstantThatIsNotFinite) {
  expect_mistake(message_of([] { return some_energy() * __builtin_inf(); }), __LINE__, {"inf", "not finite"});
  expect_mistake(message_of([] { return some_energy() + __builtin_nan(""); }), __LINE__, {"nan", "not finite"});
  expect_mistake(message_of([] { return parameter("a", metre, __builtin_inf()) * some_energy(); }), __LINE__, {"'a'"});
  expect_mistake(message_of([] { return some_energy() * (Scalar(1) / 0); }), __LINE__, {"inf"});
}

TEST(Mistake, IntegerDivisionAsAFactor) {
  expect_mistake(message_of([] { return 1 / 2 * some_energy(); }), __LINE__, {"1/2 is 0", "0.5"});
  expect_mistake(message_of([] { return some_energy() * (1u / 3u); }), __LINE__, {"0.5"});
  expect_mistake(message_of([] { return trace(1 / 2 * deformation_gradient()); }), __LINE__, {"0.5"});
  EXPECT_EQ(message_of([] { return 0.0 * some_energy() + 2 * some_energy() + 0; }), "no error");
}

TEST(Mistake, IndexOutOfRange) {
  expect_mistake(message_of([]() -> Scalar { return deformation_gradient()(3, 0); }), __LINE__,
                 {"out of range", "from 0"});
  expect_mistake(message_of([]() -> Scalar { return deformation_gradient()(0, -1); }), __LINE__, {"out of range"});
  expect_mistake(message_of([] { return deformation_gradient().row(1)[3]; }), __LINE__, {"out of range"});
}

TEST(Mistake, ValueKeptFromAnotherTrace) {
  static const Scalar* kept = nullptr;
  EXPECT_EQ(message_of([] {
              static const Scalar first = some_energy();
              kept = &first;
              return first;
            }),
            "no error");
  expect_mistake(message_of([] { return *kept + some_energy(); }), __LINE__, {"another one"});
}

TEST(Mistake, LanguageUsedOutsideAnEnergy) {
  Registration registration;
  [[maybe_unused]] const Scalar global = 2;
  const unsigned line = __LINE__ - 1;
  try {
    (void)registration.definitions().energies;
    FAIL() << "expected an Error";
  } catch (const proxima::Error& error) {
    expect_mistake(error.what(), line, {"outside an energy", "PROXIMA_ENERGY"});
  }
}

TEST(Mistake, TheFirstOneIsReported) {
  const auto message = message_of([] {
    auto a = parameter("a", pascal, -1).positive();
    return a * (1 / Scalar(0));
  });
  expect_mistake(message, __LINE__ - 3, {"'a'"});
}

TEST(FindEnergy, SuggestsTheNearestName) {
  try {
    find_energy("smaple_energy");
    FAIL() << "expected an Error";
  } catch (const proxima::Error& error) {
    EXPECT_THAT(error.what(),
                testing::AllOf(testing::HasSubstr("'smaple_energy'"), testing::HasSubstr("'sample_energy'")));
  }
}

PROXIMA_ENERGY(sample_energy) { return some_energy(); }

TEST(FindEnergy, RefusesANameDefinedTwice) {
  const auto define = [](unsigned line) {
    proxima_dsl_register("doubled", [] { return some_energy().handle(); }, "twice.cpp", line);
  };
  define(3);
  define(8);
  try {
    find_energy("doubled");
    FAIL() << "expected an Error";
  } catch (const proxima::Error& error) {
    EXPECT_THAT(error.what(), testing::AllOf(testing::HasSubstr("twice.cpp:3"), testing::HasSubstr("twice.cpp:8")));
  }
}

TEST(Registration, CollectsInsteadOfTheProgram) {
  const std::size_t before = registered_energies().size();
  Registration registration;
  proxima_dsl_register("loaded", [] { return some_energy().handle(); }, "loaded.cpp", 3);
  ASSERT_EQ(registration.definitions().energies.size(), 1u);
  EXPECT_EQ(registration.definitions().energies[0].name, "loaded");
  EXPECT_EQ(registration.definitions().energies[0].line, 3u);
  EXPECT_EQ(registered_energies().size(), before);
  EXPECT_EQ(trace(registration.definitions().energies[0]).name, "loaded");
}

TEST(Registration, RefusesTwoEnergiesOfOneName) {
  Registration registration;
  for (unsigned line : {3u, 8u})
    proxima_dsl_register("doubled", [] { return some_energy().handle(); }, "loaded.cpp", line);
  try {
    (void)registration.definitions().energies;
    FAIL() << "expected an Error";
  } catch (const proxima::Error& error) {
    EXPECT_THAT(error.what(), testing::AllOf(testing::HasSubstr("'doubled' is defined twice"),
                                             testing::HasSubstr("first time at loaded.cpp:3")));
  }
}

TEST(Trace, WorksInTwoThreadsAtOnce) {
  std::string texts[2];
  std::thread threads[2];
  for (int k = 0; k < 2; ++k) {
    threads[k] = std::thread([&text = texts[k]] {
      for (int round = 0; round < 50; ++round) text = proxima::ir::to_text(find_energy("sample_energy"));
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(texts[0], texts[1]);
  EXPECT_FALSE(texts[0].empty());
}

}  // namespace
