#include "runtime/model/obstacle.hpp"

namespace proxima::model {

ObstacleGradient zero_gradient(const Obstacle& obstacle) {
  ObstacleGradient result;
  if (const auto* analytic = std::get_if<AnalyticDistance>(&obstacle.shape))
    for (const auto& parameter : analytic->parameters) result.parameters.emplace_back(parameter.size());
  result.motion.resize(obstacle.motion.size());
  return result;
}

}  // namespace proxima::model
