# Checks that a wrong program is refused and that the message helps its author. Usage:
#   cmake -DCOMPILER=... -DINCLUDE=... -DPROGRAM=... -P refused.cmake
# The first line of the program is "// compile: " and the words that the message must contain; the line with the mistake ends
# in "// wrong", and the message must name it.
file(STRINGS ${PROGRAM} lines)
list(GET lines 0 words)
string(REGEX REPLACE "^// compile: " "" words "${words}")
file(READ ${PROGRAM} text)
string(FIND "${text}" "// wrong" position)
string(SUBSTRING "${text}" 0 ${position} before)
string(REGEX MATCHALL "\n" newlines "${before}")
list(LENGTH newlines number)
math(EXPR number "${number} + 1")

execute_process(
  COMMAND ${COMPILER} -std=c++20 -fsyntax-only -Werror=return-type -I${INCLUDE} ${PROGRAM}
  RESULT_VARIABLE status ERROR_VARIABLE message OUTPUT_VARIABLE message)
if(status EQUAL 0)
  message(FATAL_ERROR "${PROGRAM} compiles, but must not")
endif()
foreach(expected "${words}" "${PROGRAM}:${number}:")
  string(FIND "${message}" "${expected}" found)
  if(found EQUAL -1)
    message(FATAL_ERROR "the message for ${PROGRAM} does not contain '${expected}':\n${message}")
  endif()
endforeach()
