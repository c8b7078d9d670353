#include "runtime/model/recording.hpp"

#include "runtime/model/moment.hpp"

namespace proxima::model {

bool Recording::reaches(double time) const {
  return time / states_.header().time_step <= states_.frames() - 1 + frame_width;
}

std::vector<double> Recording::positions(double time) const {
  const auto [frame, share] = moment_at(time, states_.header().time_step);
  auto result = states_.read(frame).positions;
  if (share == 1) return result;
  const auto before = states_.read(frame - 1).positions;
  for (std::size_t i = 0; i < result.size(); ++i) result[i] = share * result[i] + (1 - share) * before[i];
  return result;
}

}  // namespace proxima::model
