#include "runtime/solve/contact/acceleration.hpp"

#include "runtime/solve/contact/contact_view.hpp"
#include "runtime/solve/methods/anderson.hpp"
#include "runtime/solve/methods/lbfgs.hpp"

namespace proxima::solve {
namespace {

template <class System>
class AndersonMixing : public Acceleration<System> {
 public:
  using In = typename System::In;

  explicit AndersonMixing(int window) : mixing_(window) {}
  std::optional<typename System::Vector> direction(In x, In f, In) override { return mixing_.direction(x, f); }
  void clear() override { mixing_.clear(); }

 private:
  BasicMixing<System> mixing_;
};

template <class System>
class QuasiNewton : public Acceleration<System> {
 public:
  using Vector = typename System::Vector;
  using In = typename System::In;

  explicit QuasiNewton(int window) : pairs_(window) {}

  std::optional<Vector> direction(In x, In f, In r) override {
    if (last_) remember(x, f, r);
    last_.emplace(Last{copied(x), copied(f), copied(r)});
    if (pairs_.empty()) return std::nullopt;
    Vector left = copied(r), result = copied(f);
    pairs_.take_shares(left);
    // A^-1 of what is left, without an application.
    device::negate(result);
    pairs_.take_images(result);
    pairs_.give_shares(result);
    device::negate(result);
    return result;
  }

  void clear() override {
    pairs_.clear();
    last_.reset();
  }

 private:
  struct Last {
    Vector x, f, r;
  };

  void remember(In x, In f, In r) {
    typename LbfgsPairs<System>::Pair next{copied(x), copied(r), std::move(last_->f)};
    device::add_scaled(next.step, -1, last_->x);
    device::add_scaled(next.change, -1, last_->r);
    device::add_scaled(next.image, -1, f);
    pairs_.add(std::move(next));
  }

  LbfgsPairs<System> pairs_;
  std::optional<Last> last_;
};

}  // namespace

template <class System>
std::unique_ptr<Acceleration<System>> anderson_mixing(int window) {
  return std::make_unique<AndersonMixing<System>>(window > 0 ? window : Anderson<Potential>::default_window);
}

template <class System>
std::unique_ptr<Acceleration<System>> quasi_newton(int window) {
  return std::make_unique<QuasiNewton<System>>(window > 0 ? window : Lbfgs<Potential>::default_window);
}

template std::unique_ptr<Acceleration<Objective>> anderson_mixing(int);
template std::unique_ptr<Acceleration<CudaObjective>> anderson_mixing(int);
template std::unique_ptr<Acceleration<Objective>> quasi_newton(int);
template std::unique_ptr<Acceleration<CudaObjective>> quasi_newton(int);

}  // namespace proxima::solve
