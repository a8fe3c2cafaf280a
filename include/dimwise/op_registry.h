// An OpRegistry denotes the operators that are known: for each of them its definitions by version, each with
// the function that works out shapes.
//
// It is made once by an OpRegistryBuilder and never changes; a definition may be read only when it is first
// asked for, which nobody can tell. A copy is a pointer and shows the same operators; pointers to
// registrations live as long as any copy. Rules and C++ shape functions register alike.
//
// Versions. A set such as onnx has versions; a definition holds from `since` until the next definition of the
// same operator, or until `until`. A look-up answers the definition that holds in a version, or without one
// the newest, also where that is gone since.
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

// It answers with an error where the operands are wrong. An exception that it throws counts as one.
using ShapeFn = std::function<Status(InferenceContext*)>;

// Makes the shape function that the traits of a definition imply (Traits::ShapeTrait). The layer infer has
// one.
using TraitShapeFn = std::function<ShapeFn(const OpDef&)>;

struct OpRegistrationData {
  OpDef def;
  ShapeFn shape_fn;  // empty only where the operator has no results, or traits and no TraitShapeFn was given
};

// Makes a registration when it is first asked for. Any thread may call it, more than once.
using LazyRegistration = std::function<OpRegistrationData()>;

class DIMWISE_API OpRegistry {
 public:
  static constexpr int kLatest = std::numeric_limits<int>::max();

  OpRegistry();  // knows nothing

  // The operator by its full name, "onnx.Conv". An error says what might have been meant: kUnknownOperator,
  // or kNoSuchVersion where the operator exists in other versions. One hash and no allocation where it is
  // found.
  Result<const OpRegistrationData*> LookUp(std::string_view full_name, int version = kLatest) const;
  // The same without an error: null.
  const OpRegistrationData* Find(std::string_view full_name, int version = kLatest) const;
  // All definitions of an operator, oldest first.
  std::span<const OpRegistrationData> Versions(std::string_view full_name) const;

  // The newest definition of each operator of a set, by name; of all sets, by set and name.
  std::vector<const OpRegistrationData*> List(std::string_view set) const;
  std::vector<const OpRegistrationData*> List() const;
  std::vector<std::string_view> sets() const;  // sorted

  size_t size() const;  // definitions

 private:
  friend class OpRegistryBuilder;
  struct State;
  explicit OpRegistry(std::shared_ptr<const State> state);
  std::shared_ptr<const State> state_;
};

// Collects definitions and everything that is wrong with them.
class DIMWISE_API OpRegistryBuilder {
 public:
  explicit OpRegistryBuilder(TraitShapeFn from_traits = nullptr);
  ~OpRegistryBuilder();
  OpRegistryBuilder(OpRegistryBuilder&&) noexcept;
  OpRegistryBuilder& operator=(OpRegistryBuilder&&) noexcept;

  // Adds a definition. Without a function its traits have to imply one, unless it has no results.
  OpRegistryBuilder& Register(OpDef def, ShapeFn fn = nullptr);
  OpRegistryBuilder& Register(const OpDefBuilder& def, ShapeFn fn = nullptr);
  // Adds a definition of which only set, name, since and until are known yet; `make` gives all of it, without
  // a mistake, and the same four.
  OpRegistryBuilder& RegisterLazily(OpDef header, LazyRegistration make);
  // Adds a definition in the place of that with the same name and version, if there is one.
  OpRegistryBuilder& Override(OpDef def, ShapeFn fn = nullptr);
  // Adds all that another registry knows.
  OpRegistryBuilder& Include(const OpRegistry& other);

  // Everything wrong so far, in the order of registration; Build finds what only shows at the end.
  const std::vector<Diagnostic>& findings() const;
  // What Override replaced: "onnx.Conv since version 11".
  const std::vector<std::string>& overridden() const;

  // The registry, or the first finding, with the others as notes. From a builder that is not needed any more,
  // the definitions are moved.
  Result<OpRegistry> Build() const&;
  Result<OpRegistry> Build() &&;
  // Everything wrong, also what Build finds.
  std::vector<Diagnostic> Lint() const;

 private:
  struct State;
  template <typename Entries>
  Result<OpRegistry> BuildFrom(Entries& entries) const;
  std::unique_ptr<State> state_;
};

}  // namespace dimwise

#endif  // DIMWISE_OP_REGISTRY_H_
