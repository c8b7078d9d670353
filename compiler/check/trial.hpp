// Taylor tests of derived kernels in extended precision, by the interpreter. Internal to the room.
#pragma once

#include <cmath>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "compiler/check/context.hpp"
#include "compiler/ir/interpreter.hpp"

namespace proxima::check {

using Number = long double;
using Numbers = std::vector<Number>;
using Values = std::map<std::string, Numbers>;  // fields by name

Numbers some_direction(std::size_t size, unsigned seed);  // entries between -1 and 1, always the same
Number dot(std::span<const Number> a, std::span<const Number> b);
Values extended(const Fields& fields);

// A kernel as a function of its fields.
class Function {
 public:
  explicit Function(ir::Kernel kernel) : kernel_(std::move(kernel)), interpreter_(kernel_.graph, kernel_.results) {}
  Numbers operator()(const Values& fields) const {
    const auto results = interpreter_(inputs_of(kernel_, fields));
    return {results.begin(), results.end()};
  }
  const std::vector<ir::Field>& outputs() const { return kernel_.outputs; }

 private:
  ir::Kernel kernel_;
  mutable ir::Interpreter<Number> interpreter_;
};

// A field that moves along a way, and the slope that a derived kernel gives for it.
struct Move {
  std::string field;
  Numbers way;
  Number slope;
  Number distance = 1e-3L;  // of the longest movement, in ways
};

// What the outputs of a pull-back say about the fields they are derivatives by: "parameters" about each parameter,
// others about the field of their name. Ways are as long as the field's values are large.
std::vector<Move> moves_of(const Context& context, const Function& pull_back, const Values& fields);

// One derived kernel, all that was tried, and where it did worst.
struct Trial {
  const char* kernel;        // for people: "stress"
  const char* of;            // what it is the derivative of
  Number rounding = 1e-18L;  // of the function it is the derivative of, relative to its size

  double order = INFINITY;  // with which |f(h) - f(0) - h slope| falls; 2 where f is linear to within rounding
  Vector strain;
  std::string where;
  int count = 0;
  int kinks = 0;  // of these, where f has two slopes and the kernel neither: no derivative exists to compare with

  // Tries f at `at`. `size`: of its terms. Order 2 on one of the two sides is enough, for kinks.
  void operator()(const std::function<Number(const Values&)>& f, const Values& at, const Move& move, Number size,
                  const Vector& x, const std::string& name);
  static constexpr double least_order = 1.9;
  bool passed() const { return order >= least_order; }
  static std::vector<std::string> columns();
  // A row, and a finding where it has not passed.
  void report(Context& context, Table& table) const;
};

}  // namespace proxima::check
