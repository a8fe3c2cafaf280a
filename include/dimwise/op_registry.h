// An OpRegistry denotes a set of operators: the definitions of each operator by version, each with its shape
// function.
//
// It is created by an OpRegistryBuilder and immutable. A definition may be parsed on its first use; this is
// not observable. A copy is a pointer to the same registry. Pointers to registrations are valid as long as
// any copy lives. Rules and C++ shape functions are registered in the same way.
//
// Versions. A set such as onnx has versions. A definition is valid from `since` until the next definition of
// the operator, or until `until`. A lookup returns the definition that is valid in a version. Without a
// version it returns the newest one, even if it has been removed.
//
// Thread safety: a registry is shared by threads; all of its methods are const. A builder belongs to one
// thread.
#ifndef DIMWISE_OP_REGISTRY_H_
#define DIMWISE_OP_REGISTRY_H_

#include <functional>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "dimwise/export.h"
#include "dimwise/op_def.h"
#include "dimwise/result.h"

namespace dimwise {

class InferenceContext;
namespace rules {
struct Rule;
}

// A shape function returns an error if the operands are wrong. An exception counts as an error.
using ShapeFn = std::function<Status(InferenceContext*)>;

// Creates the shape function that the traits of a definition imply (Traits::ShapeTrait). The layer `infer`
// provides it.
using TraitShapeFn = std::function<ShapeFn(const OpDef&)>;

struct OpRegistrationData {
  OpDef def;
  ShapeFn shape_fn;  // empty only if the operator has no results, or has traits and no TraitShapeFn was given
  const rules::Rule* rule = nullptr;  // contains the expressions of the properties; lives as long as shape_fn
};

// Creates a registration on first use. Any thread may call it, more than once.
using LazyRegistration = std::function<OpRegistrationData()>;

class DIMWISE_API OpRegistry {
 public:
  static constexpr int kLatest = std::numeric_limits<int>::max();

  OpRegistry();  // empty

  // Returns the operator with this full name, "onnx.Conv". The error suggests similar names. It is
  // kUnknownOperator, or kNoSuchVersion if the operator exists in other versions. A successful lookup takes
  // one hash and no allocation.
  Result<const OpRegistrationData*> LookUp(std::string_view full_name, int version = kLatest) const;
  // Like LookUp, but returns null instead of an error.
  const OpRegistrationData* Find(std::string_view full_name, int version = kLatest) const;
  // Returns all definitions of an operator, oldest first.
  std::span<const OpRegistrationData> Versions(std::string_view full_name) const;

  // Return the newest definition of each operator of a set, sorted by name; or of all sets, sorted by set and
  // name.
  std::vector<const OpRegistrationData*> List(std::string_view set) const;
  std::vector<const OpRegistrationData*> List() const;
  std::vector<std::string_view> sets() const;  // sorted

  size_t size() const;  // number of definitions

 private:
  friend class OpRegistryBuilder;
  struct State;
  explicit OpRegistry(std::shared_ptr<const State> state);
  std::shared_ptr<const State> state_;
};

// Collects definitions and their errors.
class DIMWISE_API OpRegistryBuilder {
 public:
  explicit OpRegistryBuilder(TraitShapeFn from_traits = nullptr);
  ~OpRegistryBuilder();
  OpRegistryBuilder(OpRegistryBuilder&&) noexcept;
  OpRegistryBuilder& operator=(OpRegistryBuilder&&) noexcept;

  // Adds a definition. Without a function, its traits must imply one, unless it has no results.
  OpRegistryBuilder& Register(OpDef def, ShapeFn fn = nullptr);
  OpRegistryBuilder& Register(const OpDefBuilder& def, ShapeFn fn = nullptr);
  // Adds a definition of which only set, name, since and until are given. `make` returns the full definition,
  // which must be valid and have the same four.
  OpRegistryBuilder& RegisterLazily(OpDef header, LazyRegistration make);
  // Adds a definition and replaces the one with the same name and version, if it exists.
  OpRegistryBuilder& Override(OpDef def, ShapeFn fn = nullptr, const rules::Rule* rule = nullptr);
  // Adds all definitions of another registry.
  OpRegistryBuilder& Include(const OpRegistry& other);

  // Returns the errors so far, in registration order. Build detects further errors.
  const std::vector<Diagnostic>& findings() const;
  // Returns the definitions that Override replaced: "onnx.Conv since version 11".
  const std::vector<std::string>& overridden() const;

  // Returns the registry, or the first error with the others as notes. The rvalue overload moves the
  // definitions out of the builder.
  Result<OpRegistry> Build() const&;
  Result<OpRegistry> Build() &&;
  // Returns all errors, including those that Build detects.
  std::vector<Diagnostic> Lint() const;

 private:
  struct State;
  template <typename Entries>
  Result<OpRegistry> BuildFrom(Entries& entries) const;
  std::unique_ptr<State> state_;
};

}  // namespace dimwise

#endif  // DIMWISE_OP_REGISTRY_H_
