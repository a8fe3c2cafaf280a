// DIMWISE_API marks what the shared library shows; everything else in it is hidden. In a static library,
// which is what is built by default, it says nothing. CMake sets DIMWISE_SHARED (also for users of a shared
// library) and DIMWISE_BUILDING (only while the library itself is compiled).
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
