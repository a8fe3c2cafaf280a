#include <CLI/CLI.hpp>
#include <string>

#include "dimwise/version.h"

int main(int argc, char** argv) {
  CLI::App app{"Infers tensor shapes before a program runs.", "dimwise"};
  app.set_version_flag("--version", "dimwise " + std::string(dimwise::Version()));
  CLI11_PARSE(app, argc, argv);
  return 0;
}
