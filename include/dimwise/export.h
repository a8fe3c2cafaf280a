// DIMWISE_API marks the symbols that the shared library exports; all others are hidden. In a static library,
// the default, it is empty. CMake sets DIMWISE_SHARED (also for users of a shared library) and
// DIMWISE_BUILDING (only while the library itself is compiled).
#ifndef DIMWISE_EXPORT_H_
#define DIMWISE_EXPORT_H_

#if !defined(DIMWISE_SHARED)
#define DIMWISE_API
#elif !defined(_WIN32)
#define DIMWISE_API __attribute__((visibility("default")))
#elif defined(DIMWISE_BUILDING)
#define DIMWISE_API __declspec(dllexport)
#else
#define DIMWISE_API __declspec(dllimport)
#endif

#endif  // DIMWISE_EXPORT_H_
