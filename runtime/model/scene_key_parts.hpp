// The parts of the table of keys (schema.hpp), and the words they are written in.
#pragma once

#include "runtime/model/schema.hpp"

namespace proxima::model {

std::span<const Key> body_keys();     // what bodies are: meshes, materials, springs, ties
std::span<const Key> load_keys();     // what holds, moves and drives bodies
std::span<const Key> contact_keys();  // obstacles and contact
std::span<const Key> step_keys();     // gravity, time, solvers, what a run writes
std::span<const Key> fit_keys();      // losses, what is looked for, how gradients are tested
std::span<const Key> shape_keys();    // shapes that occur in several places, under paths that begin with @

namespace keys {

inline constexpr double infinity = std::numeric_limits<double>::infinity();
inline constexpr Allowed any{};
constexpr Allowed above(double lower) { return {lower, infinity, true, false, {}}; }
constexpr Allowed at_least(double lower) { return {lower, infinity, false, false, {}}; }
constexpr Allowed between(double lower, double upper) { return {lower, upper, true, true, {}}; }
constexpr Allowed from(double lower, double upper) { return {lower, upper, false, false, {}}; }
constexpr Allowed one_of(std::string_view choices) { return {-infinity, infinity, false, false, choices}; }

inline constexpr Allowed coefficient{0, infinity, false, false, "static"};

inline constexpr auto required = Presence::required;
inline constexpr auto optional = Presence::optional;
inline constexpr auto choice = Presence::one_of;
inline constexpr auto defaulted = Presence::defaulted;
inline constexpr auto instead = Presence::instead;

}  // namespace keys
}  // namespace proxima::model
