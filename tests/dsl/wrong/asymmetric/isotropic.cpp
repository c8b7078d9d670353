// trace: not symmetric in these singular values: with (1.2, 1.05, 0.8) it is 3.3425, with (1.05, 1.2, 0.8) it is 3.005
#include <proxima/dsl.hpp>
using namespace proxima::dsl;

PROXIMA_ISOTROPIC(wrong) {  // wrong
  return 2 * square(s1) + square(s2) - square(s3);  // 2.88 + 1.1025 - 0.64
}
