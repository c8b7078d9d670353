# proxima_assets(OUTPUT file.cpp NAMESPACE n FILES a.js ...): C++ that holds the texts of files, one function a file that
# is named after it: asset_a_js() for a.js, as a std::string_view. Written anew whenever a file changes.
#
# Run as a script it writes that C++: cmake -DOUTPUT=file.cpp -DNAMESPACE=n "-DFILES=a.js|b.js" -P ProximaAssets.cmake
if(CMAKE_SCRIPT_MODE_FILE)
  string(REPLACE "|" ";" FILES "${FILES}")
  set(text "#include <string_view>\nnamespace ${NAMESPACE} {\n")
  foreach(file IN LISTS FILES)
    get_filename_component(name ${file} NAME)
    string(REGEX REPLACE "[^A-Za-z0-9]" "_" name ${name})
    file(READ ${file} content)
    string(APPEND text "std::string_view asset_${name}() { return R\"asset(${content})asset\"; }\n")
  endforeach()
  file(WRITE ${OUTPUT} "${text}}  // namespace ${NAMESPACE}\n")
  return()
endif()

function(proxima_assets)
  cmake_parse_arguments(ASSETS "" "OUTPUT;NAMESPACE" "FILES" ${ARGN})
  set(output ${CMAKE_CURRENT_BINARY_DIR}/${ASSETS_OUTPUT})
  set(script ${PROJECT_SOURCE_DIR}/cmake/ProximaAssets.cmake)
  list(JOIN ASSETS_FILES "|" files)
  add_custom_command(OUTPUT ${output}
    COMMAND ${CMAKE_COMMAND} -DOUTPUT=${output} -DNAMESPACE=${ASSETS_NAMESPACE} "-DFILES=${files}" -P ${script}
    DEPENDS ${ASSETS_FILES} ${script} VERBATIM)
endfunction()
