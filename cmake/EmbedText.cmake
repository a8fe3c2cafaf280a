# Script: writes ${OUTPUT}, a C++ source that defines the function ${FUNCTION}, declared in ${HEADER}. It returns
# the text of the file ${INPUT}.
file(READ "${INPUT}" text)
file(WRITE "${OUTPUT}.new" "// Written by cmake/EmbedText.cmake.
#include \"${HEADER}\"

namespace dimwise {

std::string_view ${FUNCTION}() { return R\"text(${text})text\"; }

}  // namespace dimwise
")
file(COPY_FILE "${OUTPUT}.new" "${OUTPUT}" ONLY_IF_DIFFERENT)
file(REMOVE "${OUTPUT}.new")
