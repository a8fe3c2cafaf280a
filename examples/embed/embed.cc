// The smallest program that uses Dimwise as a library.
#include <iostream>

#include "dimwise/version.h"

int main() {
  std::cout << "Dimwise " << dimwise::Version() << '\n';
  return 0;
}
