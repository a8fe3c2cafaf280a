# Script: writes the manual page and the completions that ${PROGRAM} prints to ${FOLDER}.
function(write name)
  execute_process(COMMAND "${PROGRAM}" ${ARGN} OUTPUT_FILE "${FOLDER}/${name}" COMMAND_ERROR_IS_FATAL ANY)
endfunction()

file(MAKE_DIRECTORY "${FOLDER}")
write(dimwise.1 man)
write(dimwise.bash completions bash)
write(dimwise.zsh completions zsh)
write(dimwise.fish completions fish)
