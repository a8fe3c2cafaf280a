// Tests the behaviour of TensorFlow's op_def_util_test, with its test names.
#include "dimwise/op_def.h"

#include "gtest/gtest.h"
#include "ops/op_def_testing.h"

namespace dimwise {
namespace {

// Returns a valid definition; each test invalidates one part.
OpDef Good() {
  const auto def = OpDefBuilder("tensorflow.X")
                       .Input("a: T")
                       .Input("b: N * T")
                       .Output("y: T")
                       .Attr("T: {f32, i32} = f32")
                       .Attr("N: int >= 1")
                       .Attr("mode: {'SAME', 'VALID'} = 'SAME'")
                       .Attr("alpha: float = 1.0")
                       .Attr("pads: list(int) = [1, 1]")
                       .Build();
  EXPECT_TRUE(def) << def.error().message;
  return def.value_or(OpDef());
}

std::string ErrorOf(const OpDef& def) {
  const Status status = ValidateOpDef(def);
  if (status) return "fine";
  EXPECT_EQ(status.error().code, Code::kBadDefinition);
  EXPECT_EQ(status.error().op, def.FullName());
  return status.error().message;
}

// ---- OpDefEqual ----

TEST(OpDefEqualityTest, EqualAndHash) {
  const OpDef good = Good();
  EXPECT_TRUE(OpDefEqual(good, good));

  OpDef reordered = good;
  std::swap(reordered.attrs[0], reordered.attrs[3]);
  std::swap(reordered.attrs[1], reordered.attrs[2]);
  reordered.attrs[0].default_value = 1;  // of a float: the same as 1.0
  reordered.doc = "Says more.";
  reordered.inputs[0].doc = "Also.";
  EXPECT_TRUE(OpDefEqual(good, reordered));
  EXPECT_EQ(HashOf(good), HashOf(reordered));

  using Spoil = void (*)(OpDef*);
  const Spoil spoils[] = {
      [](OpDef* d) { d->set = "onnx"; },
      [](OpDef* d) { d->name = "Y"; },
      [](OpDef* d) { d->since = 2; },
      [](OpDef* d) { d->until = 3; },
      [](OpDef* d) { d->deprecated = "use Y"; },
      [](OpDef* d) { d->stateful = true; },
      [](OpDef* d) { d->commutative = true; },
      [](OpDef* d) { d->traits = Trait::kBroadcast; },
      [](OpDef* d) { std::swap(d->inputs[0], d->inputs[1]); },
      [](OpDef* d) { d->inputs[0].name = "c"; },
      [](OpDef* d) { d->inputs[0].optional = true; },
      [](OpDef* d) { d->inputs[0].is_ref = true; },
      [](OpDef* d) { d->inputs[0].homogeneous = false; },
      [](OpDef* d) { d->inputs[0].min_count = 2; },
      [](OpDef* d) { d->inputs[1].number_attr = "M"; },
      [](OpDef* d) { d->outputs[0].type_attr.clear(), d->outputs[0].type = ElementType::kF32; },
      [](OpDef* d) { d->outputs.push_back(d->inputs[0]); },
      [](OpDef* d) { d->attrs.pop_back(); },
      [](OpDef* d) { d->attrs[1].minimum = 2; },
  };
  for (size_t i = 0; i < std::size(spoils); ++i) {
    OpDef other = good;
    spoils[i](&other);
    EXPECT_FALSE(OpDefEqual(good, other)) << i;
    EXPECT_NE(HashOf(good), HashOf(other)) << i;
  }
}

// ---- Attributes ----

TEST(AttrDefUtilTest, EqualAndHash) {
  const std::vector<std::string_view> different = {"a: int",
                                                   "b: int",
                                                   "a?: int",
                                                   "a: float",
                                                   "a: int >= 1",
                                                   "a: int >= 2",
                                                   "a: int = 1",
                                                   "a: int = 2",
                                                   "a: int >= 1 = 1",
                                                   "a: list(int)",
                                                   "a: list(int) or int",
                                                   "a: list(int) = []",
                                                   "a: string",
                                                   "a: {'x', 'y'}",
                                                   "a: {'x', 'z'}",
                                                   "a: {'x'} = 'x'",
                                                   "a: list(string)",
                                                   "a: type",
                                                   "a: {f32}",
                                                   "a: {f32, f64}",
                                                   "a: list({f32})",
                                                   "a: bool = true",
                                                   "a: bool = false",
                                                   "a: shape = [1]",
                                                   "a: shape = [*]",
                                                   "a: tensor = f32[1]{1}",
                                                   "a: tensor = f32[1]{2}",
                                                   "a: float = 1",
                                                   "a: float = 1.5"};
  for (size_t i = 0; i < different.size(); ++i) {
    for (size_t j = 0; j < different.size(); ++j) {
      const AttrDef a = MakeAttr(different[i]);
      const AttrDef b = MakeAttr(different[j]);
      EXPECT_EQ(AttrDefEqual(a, b), i == j) << different[i] << " and " << different[j];
      EXPECT_EQ(HashOf(a) == HashOf(b), i == j) << different[i] << " and " << different[j];
    }
  }
  const std::pair<std::string_view, std::string_view> same[] = {
      {"a: float = 1", "a: float = 1.0"},
      {"a: {'x', 'y'}", "a: {'y', 'x'}"},
      {"a: {f32, f64}", "a: {DT_DOUBLE, float}"},
      {"a: list(int) = [1, 2]", "a: list(int) = (1, 2)"},
      {"a: list(float) = [1, 2]", "a: list(float) = [1.0, 2.0]"},
      {"a: shape = [*]", "a: shape = { unknown_rank: true }"},
      {"a: bool = 1", "a: bool = true"},
      {"a: tensor = f32[3]{1.0, 1.0, 1.0}", "a: tensor = f32[3]{1}"},
      {"a: list(int) or int = 3", "a: list(int) or int = [3]"},
  };
  for (const auto& [x, y] : same) {
    EXPECT_TRUE(AttrDefEqual(MakeAttr(x), MakeAttr(y))) << x << " and " << y;
    EXPECT_EQ(HashOf(MakeAttr(x)), HashOf(MakeAttr(y))) << x << " and " << y;
  }
  // As in a file: the kind of an empty list is unknown, or the default does not have the declared kind yet.
  AttrDef untyped = MakeAttr("a: list(int) = []");
  untyped.default_value = AttrValue::List({});
  EXPECT_TRUE(AttrDefEqual(untyped, MakeAttr("a: list(int) = []")));
  EXPECT_EQ(HashOf(untyped), HashOf(MakeAttr("a: list(int) = []")));
  AttrDef documented = untyped;
  documented.doc = "Where to pad.";
  EXPECT_TRUE(AttrDefEqual(untyped, documented));
}

TEST(AttrDefUtilTest, EqualAndHash_Repeated) {
  const AttrDef a = MakeAttr("a: int = 1");
  const AttrDef b = MakeAttr("b: float = 1");
  const AttrDef c = MakeAttr("c: string");
  const AttrDef a2 = MakeAttr("a: int = 2");
  using Defs = std::vector<AttrDef>;
  const auto expect_same = [](const Defs& x, const Defs& y, bool same) {
    EXPECT_EQ(AttrDefsEqual(x, y), same);
    EXPECT_EQ(AttrDefsEqual(y, x), same);
    EXPECT_EQ(HashOf(x) == HashOf(y), same);
  };
  expect_same({}, {}, true);
  expect_same({a, b, c}, {a, b, c}, true);
  expect_same({a, b, c}, {c, a, b}, true);
  expect_same({a}, {}, false);
  expect_same({a, b, c}, {a, b}, false);
  expect_same({a, b, c}, {a2, b, c}, false);
  expect_same({a, a}, {a}, false);
  expect_same({a, a2}, {a, a}, false);
}

// ---- ValidateOpDef ----

TEST(ValidateOpDefTest, OpDefValid) {
  for (const std::string_view attr : {"a: int",
                                      "a: int = -7",
                                      "a: int >= -5",
                                      "a: int >= -5 = 3",
                                      "a?: int",
                                      "a: float = 2",
                                      "a: float = 1e-5",
                                      "a: bool = true",
                                      "a: string = 'x'",
                                      "a: string = \"\"",
                                      "a: string = SAME",
                                      "a: type",
                                      "a: type = DT_HALF",
                                      "a: numbertype",
                                      "a: realnumbertype = DT_FLOAT",
                                      "a: quantizedtype",
                                      "a: numeric = f32",
                                      "a: any",
                                      "a: {int32, float, bool}",
                                      "a: {numbertype, variant} = variant",
                                      "a: {'foo', 'bar'} = 'bar'",
                                      "a: shape",
                                      "a: shape = []",
                                      "a: shape = [2, ?]",
                                      "a: shape = { unknown_rank: true }",
                                      "a: shape = {}",
                                      "a: tensor",
                                      "a: tensor = i64[2]{3, 4}",
                                      "a: func",
                                      "a: func = body[T=f32]",
                                      "a: graph",
                                      "a?: graph",
                                      "a: list(graph)",
                                      "a: list(int)",
                                      "a: list(int) = []",
                                      "a: list(int) = [2, 2]",
                                      "a: list(int) >= 2 = [2, 2]",
                                      "a: list(float) = [1]",
                                      "a: list(bool) = [true]",
                                      "a: list(string) = ['x', y]",
                                      "a: list(type) = [f32, DT_INT8]",
                                      "a: list(shape) = [[1], [*]]",
                                      "a: list(tensor)",
                                      "a: list(func) = []",
                                      "a: list({'x', 'y'}) = ['y', 'y']",
                                      "a: list({f32, f64}) >= 1 = [f32]",
                                      "a: list(numbertype) >= 0",
                                      "a: list(int) or int = 3",
                                      "  a :int>=1=2 "}) {
    EXPECT_EQ(ErrorOf(OpDefBuilder("tensorflow.X").Attr(attr)), "fine") << attr;
  }
  for (const std::string_view input :
       {"x: f32", "x: float", "x: DT_INT64", "x: any", "x?: bool", "x+: string", "x*: resource", "x: T",
        "x?: T", "x+: T", "x*: each T", "x: N * T", "x: N*f32", "x: each N * any", "x: Ts", "x: Ref(T)",
        "x: Ref(f32)", "x: Ref(N * T)", " x :T "}) {
    EXPECT_EQ(
        ErrorOf(
            OpDefBuilder("tensorflow.X").Input(input).Attr("T: type").Attr("N: int").Attr("Ts: list(type)")),
        "fine")
        << input;
  }
  for (const std::string_view name :
       {"tensorflow.Uppercase", "tensorflow._Retval", "tensorflow.Addons>Resample", "tensorflow.A>B>C",
        "onnx.Conv", "ai.onnx.ml.Scaler", "com.microsoft.FastGelu", "com.microsoft.gelu", "mxnet._plus",
        "mxnet.Convolution", "stablehlo.add", "tosa.matmul", "my_set.X1"}) {
    EXPECT_EQ(ErrorOf(OpDefBuilder(name)), "fine") << name;
  }
  // An input and an output may share a name, and arguments may refer to attributes that come later.
  EXPECT_EQ(ErrorOf(OpDefBuilder("onnx.X").Input("mean: T").Output("mean: T").Attr("T: type")), "fine");
  EXPECT_EQ(ErrorOf(OpDefBuilder("onnx.X").Since(7).Until(9)), "fine");
}

TEST(ValidateOpDefTest, InvalidName) {
  const auto error = [](std::string_view name) { return ErrorOf(OpDefBuilder(name)); };
  const std::string capital = "it begins with a capital letter";
  const std::string word = "a word of letters, digits and underscores";
  EXPECT_EQ(error("tensorflow.lower"),
            "tensorflow.lower: 'lower' is no name for an operator of tensorflow: " + capital);
  EXPECT_EQ(error("onnx.conv"), "onnx.conv: 'conv' is no name for an operator of onnx: " + capital);
  EXPECT_EQ(error("ai.onnx.ml.scaler"),
            "ai.onnx.ml.scaler: 'scaler' is no name for an operator of ai.onnx.ml: " + capital);
  EXPECT_EQ(error("tensorflow._"), "tensorflow._: '_' is no name for an operator of tensorflow: " + capital);
  EXPECT_EQ(error("onnx.Bad Name"), "onnx.Bad Name: 'Bad Name' is no name for an operator of onnx: " + word);
  EXPECT_EQ(error("onnx.Bad%"), "onnx.Bad%: 'Bad%' is no name for an operator of onnx: " + word);
  EXPECT_EQ(error("onnx.A>B"), "onnx.A>B: 'A>B' is no name for an operator of onnx: " + word);
  EXPECT_EQ(error("onnx."), "onnx.: '' is no name for an operator of onnx: " + word);
  EXPECT_EQ(error("mxnet.7up"), "mxnet.7up: '7up' is no name for an operator of mxnet: " + word);
  EXPECT_EQ(error("Relu"), "Relu: the name has no set in front of it, as in onnx.Relu");
  EXPECT_EQ(error(""), ": the name has no set in front of it, as in onnx.Relu");
  EXPECT_EQ(error("bad set.X"), "bad set.X: 'bad set' is no name for a set: words joined by dots");
  EXPECT_EQ(error("a..X"), "a..X: 'a.' is no name for a set: words joined by dots");
  for (const std::string_view name :
       {"tensorflow.>A", "tensorflow.A>", "tensorflow.A>>B", "tensorflow.A>b"}) {
    EXPECT_NE(error(name), "fine") << name;
  }
  EXPECT_EQ(ErrorOf(OpDefBuilder("onnx.X").Since(0)), "onnx.X: versions begin at 1; it is valid since 0");
  EXPECT_EQ(ErrorOf(OpDefBuilder("onnx.X").Since(3).Until(3)),
            "onnx.X: it is valid since version 3 and until 3, which is no later version");
}

TEST(ValidateOpDefTest, DuplicateName) {
  EXPECT_EQ(ErrorOf(OpDefBuilder("onnx.X").Input("a: f32").Input("a: i32")),
            "onnx.X: there are two inputs 'a'");
  EXPECT_EQ(ErrorOf(OpDefBuilder("onnx.X").Output("a: f32").Output("a: f32")),
            "onnx.X: there are two outputs 'a'");
  EXPECT_EQ(ErrorOf(OpDefBuilder("onnx.X").Attr("a: int").Attr("a: float")),
            "onnx.X: there are two attributes 'a'");
  EXPECT_EQ(ErrorOf(OpDefBuilder("onnx.X").Attr("a: int").Input("a: f32")),
            "onnx.X: 'a' is both an attribute and an input");
  EXPECT_EQ(ErrorOf(OpDefBuilder("onnx.X").Attr("a: int").Output("a: f32")),
            "onnx.X: 'a' is both an attribute and an output");
}

TEST(ValidateOpDefTest, BadAttrName) {
  EXPECT_EQ(
      ErrorOf(OpDefBuilder("onnx.X").Attr("float32: type")),
      "onnx.X: attribute 'float32' has the name of an element type, so that an argument could mean either");
  EXPECT_EQ(ErrorOf(OpDefBuilder("onnx.X").Attr("7a: int")), "onnx.X: '7a' is no name for an attribute");
  EXPECT_EQ(ErrorOf(OpDefBuilder("onnx.X").Attr("a%: int")),
            "onnx.X: attribute \"a%: int\": expected ':' and a kind after the name, found '%: int'");
  EXPECT_EQ(ErrorOf(OpDefBuilder("onnx.X").Attr(": int")),
            "onnx.X: attribute \": int\": expected a name, found ': int'");
  EXPECT_EQ(ErrorOf(OpDefBuilder("onnx.X").Attr("")),
            "onnx.X: attribute \"\": expected a name, found nothing");
  OpDef def = Good();
  def.attrs[1].name = "no good";
  EXPECT_EQ(ErrorOf(def), "tensorflow.X: 'no good' is no name for an attribute");
}

TEST(ValidateOpDefTest, BadAttrType) {
  const auto error = [](std::string_view spec) { return ErrorOf(OpDefBuilder("onnx.X").Attr(spec)); };
  EXPECT_EQ(error("a: illegal"), "onnx.X: attribute 'a' is of kind 'illegal', which does not exist");
  EXPECT_EQ(error("a: list(illegal)"),
            "onnx.X: attribute 'a' is of kind 'list(illegal)', which does not exist");
  EXPECT_EQ(error("a: list"), "onnx.X: attribute 'a' is of kind 'list', which does not exist");
  EXPECT_EQ(error("a: nothing"), "onnx.X: attribute 'a' is of kind 'nothing', which does not exist");
  EXPECT_EQ(error("a:"),
            "onnx.X: attribute \"a:\": expected a kind, such as int or list(int), found nothing");
  EXPECT_EQ(error("a"), "onnx.X: attribute \"a\": expected ':' and a kind after the name, found nothing");
  EXPECT_EQ(error("a: list(int"), "onnx.X: attribute \"a: list(int\": expected ')', found nothing");
  EXPECT_EQ(
      error("a: int extra"),
      "onnx.X: attribute \"a: int extra\": expected '>=', '=' or the end after the kind, found 'extra'");
  EXPECT_EQ(error("a: {}"),
            "onnx.X: attribute \"a: {}\": expected a type or a quoted string in {...}, found '}'");
  EXPECT_EQ(error("a: {f32"), "onnx.X: attribute \"a: {f32\": expected '}', found nothing");
  EXPECT_EQ(error("a: {f33}"),
            "onnx.X: attribute \"a: {f33}\": 'f33' is no element type, nor a class of them");
  EXPECT_EQ(error("a: {'x"), "onnx.X: attribute \"a: {'x\": a string in {...} has no closing '");
  EXPECT_EQ(error("a: {f32, 'x'}"),
            "onnx.X: attribute \"a: {f32, 'x'}\": {...} holds types or strings, not both");
  EXPECT_EQ(error("a: list(bool) or bool"),
            "onnx.X: attribute \"a: list(bool) or bool\": only 'list(int) or int' is possible");
  OpDef def = Good();
  def.attrs[1].kind = "";
  EXPECT_EQ(ErrorOf(def), "tensorflow.X: attribute 'N' is of kind '', which does not exist");
  def.attrs[1] = MakeAttr("N: int >= 1");
  def.attrs[3].or_single = true;
  EXPECT_EQ(ErrorOf(def), "tensorflow.X: attribute 'alpha' of kind float cannot be given as one int");
}

TEST(ValidateOpDefTest, BadAttrDefault) {
  const auto error = [](std::string_view spec) { return ErrorOf(OpDefBuilder("onnx.X").Attr(spec)); };
  EXPECT_EQ(error("a: int ="), "onnx.X: attribute \"a: int =\": expected a default after '=', found nothing");
  EXPECT_EQ(error("a: int = [3"), "onnx.X: attribute \"a: int = [3\": the default [3 cannot be read");
  EXPECT_EQ(error("a: int = [3]"), "onnx.X: the default of attribute 'a' is of kind int; [3] is given");
  EXPECT_EQ(error("a: int = 2.0"), "onnx.X: the default of attribute 'a' is of kind int; 2.0 is given");
  EXPECT_EQ(error("a: int = bad"),
            "onnx.X: the default of attribute 'a' is \"bad\", which is not of kind int");
  EXPECT_EQ(error("a: int = '3'"), "onnx.X: the default of attribute 'a' is \"3\", which is not of kind int");
  EXPECT_EQ(error("a: list(int) = '(3, 3)'"),
            "onnx.X: the default of attribute 'a' is \"(3, 3)\", which is not of kind list(int)");
  EXPECT_EQ(error("a: list(int) = 3"),
            "onnx.X: the default of attribute 'a' is of kind list(int); 3 is given");
  EXPECT_EQ(error("a: list(int) = [3, 'x']"),
            "onnx.X: the default of attribute 'a' is of kind list(int); [3, \"x\"] is given");
  EXPECT_EQ(error("a: float = true"), "onnx.X: the default of attribute 'a' is of kind float; true is given");
  EXPECT_EQ(error("a: bool = 7"), "onnx.X: the default of attribute 'a' is of kind bool; 7 is given");
  EXPECT_EQ(error("a: string = 7"), "onnx.X: the default of attribute 'a' is of kind string; 7 is given");
  EXPECT_EQ(error("a: type = f33"), "onnx.X: the default of attribute 'a' is of kind type; \"f33\" is given");
  EXPECT_EQ(error("a: shape = [-2]"), "onnx.X: the default of attribute 'a' is of kind shape; [-2] is given");
  EXPECT_EQ(error("a: shape = { dim }"),
            "onnx.X: attribute \"a: shape = { dim }\": write the shape as [*] or [2, ?]");
  EXPECT_EQ(error("a: tensor = 1"), "onnx.X: the default of attribute 'a' is of kind tensor; 1 is given");
  EXPECT_EQ(error("a: graph = 1"), "onnx.X: attribute 'a' of kind graph cannot have a default");
  EXPECT_EQ(error("a: int >= 3 = 2"), "onnx.X: the default of attribute 'a' is at least 3; 2 is given");
  EXPECT_EQ(error("a: list(int) >= 2 = [1]"),
            "onnx.X: the default of attribute 'a' has at least 2 elements; [1] is given");
  OpDef def = Good();
  def.attrs[3].required = true;
  EXPECT_EQ(ErrorOf(def), "tensorflow.X: attribute 'alpha' is required and has a default");
}

TEST(ValidateOpDefTest, NoRefTypes) {
  const std::string only = "is a reference type, which only an argument can have, written Ref(f32)";
  const auto attr = [](std::string_view spec) { return ErrorOf(OpDefBuilder("tensorflow.X").Attr(spec)); };
  EXPECT_EQ(ErrorOf(OpDefBuilder("tensorflow.X").Input("i: float_ref")),
            "tensorflow.X: input \"i: float_ref\": 'float_ref' " + only);
  EXPECT_EQ(ErrorOf(OpDefBuilder("tensorflow.X").Output("o: DT_FLOAT_REF")),
            "tensorflow.X: output \"o: DT_FLOAT_REF\": 'DT_FLOAT_REF' " + only);
  EXPECT_EQ(attr("T: type = DT_FLOAT_REF"),
            "tensorflow.X: attribute \"T: type = DT_FLOAT_REF\": 'DT_FLOAT_REF' " + only);
  EXPECT_EQ(attr("T: list(type) = [f64, float_ref]"),
            "tensorflow.X: attribute \"T: list(type) = [f64, float_ref]\": 'float_ref' " + only);
  EXPECT_EQ(attr("T: {f64, float_ref}"),
            "tensorflow.X: attribute \"T: {f64, float_ref}\": 'float_ref' " + only);
  EXPECT_EQ(attr("T: list({float_ref})"),
            "tensorflow.X: attribute \"T: list({float_ref})\": 'float_ref' " + only);
  EXPECT_EQ(attr("T: string = 'float_ref'"), "fine");
}

TEST(ValidateOpDefTest, BadAttrMin) {
  const auto error = [](std::string_view spec) { return ErrorOf(OpDefBuilder("onnx.X").Attr(spec)); };
  EXPECT_EQ(error("a: string >= 1"),
            "onnx.X: attribute 'a' of kind string cannot have a minimum; an int or a list can");
  EXPECT_EQ(error("a: float >= 1"),
            "onnx.X: attribute 'a' of kind float cannot have a minimum; an int or a list can");
  EXPECT_EQ(error("a: list(int) >= -5"),
            "onnx.X: attribute 'a' is a list of at least -5 elements; a negative minimum has no effect");
  EXPECT_EQ(error("a: int >= x"),
            "onnx.X: attribute \"a: int >= x\": expected a number after '>=', found 'x'");
  EXPECT_EQ(error("a: int >= 99999999999999999999"),
            "onnx.X: attribute \"a: int >= 99999999999999999999\": expected a number after '>=', found "
            "'99999999999999999999'");
  EXPECT_EQ(error("a: int >="),
            "onnx.X: attribute \"a: int >=\": expected a number after '>=', found nothing");
}

TEST(ValidateOpDefTest, BadAttrAllowed) {
  const auto error = [](std::string_view spec) { return ErrorOf(OpDefBuilder("onnx.X").Attr(spec)); };
  EXPECT_EQ(error("a: {'x', 'y'} = 'z'"),
            "onnx.X: the default of attribute 'a' is one of 'x', 'y'; \"z\" is given");
  EXPECT_EQ(error("a: list({'x', 'y'}) = ['x', 'z']"),
            "onnx.X: the default of attribute 'a' is one of 'x', 'y'; \"z\" is given");
  EXPECT_EQ(error("a: {f32, f64} = i32"),
            "onnx.X: the default of attribute 'a' is one of f32, f64; i32 is given");
  EXPECT_EQ(error("a: list({f32}) = [f32, i8]"),
            "onnx.X: the default of attribute 'a' is one of f32; i8 is given");
  EXPECT_EQ(error("a: {'x', 'x'}"), "onnx.X: attribute 'a' allows a string twice");
  OpDef def = Good();
  def.attrs[1].allowed_strings = {"x"};
  EXPECT_EQ(ErrorOf(def), "tensorflow.X: attribute 'N' of kind int cannot be one of some strings");
  def = Good();
  def.attrs[1].allowed_types = kFloatTypes;
  EXPECT_EQ(ErrorOf(def), "tensorflow.X: attribute 'N' of kind int cannot be one of some types");
}

TEST(ValidateOpDefTest, BadArgType) {
  const auto error = [](std::string_view spec) {
    return ErrorOf(OpDefBuilder("onnx.X")
                       .Input(spec)
                       .Attr("T: type")
                       .Attr("Ts: list(type)")
                       .Attr("n: int")
                       .Attr("s: string"));
  };
  EXPECT_EQ(error("x: U"), "onnx.X: input 'x' refers to 'U', which is no attribute, nor an element type");
  EXPECT_EQ(error("x: s"), "onnx.X: input 'x' needs attribute 's' to be of kind type; it is of kind string");
  EXPECT_EQ(error("x: m * T"), "onnx.X: input 'x' refers to 'm', which is no attribute");
  EXPECT_EQ(error("x: s * T"),
            "onnx.X: input 'x' needs attribute 's' to be of kind int; it is of kind string");
  EXPECT_EQ(error("x: n * Ts"),
            "onnx.X: the number of tensors of input 'x' is defined in more than one way: optional, "
            "variadic, a number or a list of types");
  EXPECT_EQ(error("x?: n * T"),
            "onnx.X: the number of tensors of input 'x' is defined in more than one way: optional, "
            "variadic, a number or a list of types");
  EXPECT_EQ(error("x: each T"), "onnx.X: input 'x' is one tensor, and 'each' is for several");
  EXPECT_EQ(error("x: Ref(Ts)"), "onnx.X: input 'x' is a reference to no type in particular");
  EXPECT_EQ(error("x: Ref(any)"), "onnx.X: input 'x' is a reference to no type in particular");
  EXPECT_EQ(error("x"), "onnx.X: input \"x\": expected ':' and a type after the name, found nothing");
  EXPECT_EQ(error("x:"), "onnx.X: input \"x:\": expected a type, found nothing");
  EXPECT_EQ(error("x: * T"), "onnx.X: input \"x: * T\": expected the name of an attribute before '*'");
  EXPECT_EQ(error("x: n *"), "onnx.X: input \"x: n *\": expected a type, found nothing");
  EXPECT_EQ(error("x: Ref(T"), "onnx.X: input \"x: Ref(T\": expected ')', found nothing");
  EXPECT_EQ(error("x: T T"), "onnx.X: input \"x: T T\": expected the end after the type, found 'T'");
  EXPECT_EQ(error(": T"), "onnx.X: input \": T\": expected a name, found ': T'");
  EXPECT_EQ(error("x y: T"),
            "onnx.X: input \"x y: T\": expected ':' and a type after the name, found 'y: T'");
  EXPECT_EQ(error("7x: T"), "onnx.X: '7x' is no name for an input");
  EXPECT_EQ(ErrorOf(OpDefBuilder("onnx.X").Input("x: n * f32").Attr("n: int >= -1")),
            "onnx.X: attribute 'n' is the number of tensors of input 'x', and needs a minimum of 0 or more");
  EXPECT_EQ(ErrorOf(OpDefBuilder("onnx.X").Output("x: U")),
            "onnx.X: output 'x' refers to 'U', which is no attribute, nor an element type");

  OpDef def = Good();
  def.inputs[0].type_attr.clear();
  EXPECT_EQ(ErrorOf(def), "tensorflow.X: input 'a' has no type");
  def.inputs[0].type = ElementType::kF32;
  def.inputs[0].any_type = true;
  EXPECT_EQ(ErrorOf(def), "tensorflow.X: input 'a' has more than one type");
  def = Good();
  def.inputs[0].variadic = true;
  def.inputs[0].min_count = -1;
  EXPECT_EQ(ErrorOf(def), "tensorflow.X: input 'a' has a minimum count of -1");
}

}  // namespace
}  // namespace dimwise
