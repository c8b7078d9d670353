# Run as a script while building: cmake -DOUTPUT=file.cpp -DNAMESPACE=a::b ... -P ProximaEmbed.cmake
# Writes C++ that holds facts about source files, so that they follow every change of those files:
#   -DFINGERPRINT=function -DSOURCES=list   function() is the hash of the sources' text, in order
#   -DHEADERS=list -DROOT=folder            language_headers() are the headers' names below the folder and texts
string(REPLACE "|" ";" SOURCES "${SOURCES}")
string(REPLACE "|" ";" HEADERS "${HEADERS}")

set(hashes "")
foreach(source IN LISTS SOURCES HEADERS)
  file(SHA256 ${source} hash)
  string(APPEND hashes ${hash})
endforeach()
string(SHA256 fingerprint "${hashes}")

set(text "#include <string_view>\n")
if(HEADERS)
  string(APPEND text "#include \"compiler/jit/embedded.hpp\"\n")
endif()
string(APPEND text "namespace ${NAMESPACE} {\n"
  "std::string_view ${FINGERPRINT}() { return \"${fingerprint}\"; }\n")
if(HEADERS)
  string(APPEND text "std::span<const EmbeddedFile> language_headers() {\n  static const EmbeddedFile files[] = {\n")
  foreach(header IN LISTS HEADERS)
    file(READ ${header} content)
    file(RELATIVE_PATH name ${ROOT} ${header})
    string(APPEND text "{\"${name}\", R\"embedded(${content})embedded\"},\n")
  endforeach()
  string(APPEND text "  };\n  return files;\n}\n")
endif()
string(APPEND text "}  // namespace ${NAMESPACE}\n")
file(WRITE ${OUTPUT} "${text}")
