# For the rooms that use LLVM and keep a cache.

# Compiles these files of the calling folder without RTTI, as LLVM itself was. They must not make objects of our own
# polymorphic classes, exceptions above all: the linker could keep their copy of the virtual table, which has no type
# information, for the whole program.
function(proxima_llvm_sources)
  set_source_files_properties(${ARGN} PROPERTIES COMPILE_OPTIONS -fno-rtti)
  proxima_not_precompiled(${ARGN})
endfunction()

# proxima_embed(OUTPUT file.cpp NAMESPACE n FINGERPRINT function SOURCES ... [HEADERS ... ROOT folder])
# Writes OUTPUT in the calling folder's binary folder, anew whenever a source changes; see ProximaEmbed.cmake.
function(proxima_embed)
  cmake_parse_arguments(EMBED "" "OUTPUT;NAMESPACE;FINGERPRINT;ROOT" "SOURCES;HEADERS" ${ARGN})
  set(output ${CMAKE_CURRENT_BINARY_DIR}/${EMBED_OUTPUT})
  set(script ${PROJECT_SOURCE_DIR}/cmake/ProximaEmbed.cmake)
  list(JOIN EMBED_SOURCES "|" sources)
  list(JOIN EMBED_HEADERS "|" headers)
  add_custom_command(OUTPUT ${output}
    COMMAND ${CMAKE_COMMAND} -DOUTPUT=${output} -DNAMESPACE=${EMBED_NAMESPACE} -DFINGERPRINT=${EMBED_FINGERPRINT}
            "-DSOURCES=${sources}" "-DHEADERS=${headers}" -DROOT=${EMBED_ROOT} -P ${script}
    DEPENDS ${EMBED_SOURCES} ${EMBED_HEADERS} ${script} VERBATIM)
endfunction()
