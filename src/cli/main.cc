// The program. Its parts are in program.cc, which is compiled in a batch with the commands.
#include "cli/program.h"

int main(int argc, char** argv) { return dimwise::RunProgram(argc, argv); }
