#!/bin/sh
# Checks that includes respect the layers of the design.
#
#   tools/check_layers.sh [ROOT]
#
# Reads every #include under ROOT/src and ROOT/include/dimwise. Fails, with a line for each case, if
#   - a file uses a layer that is not listed before its own below (python, web and cli do not use each other
#     either), or a folder of its layer that is listed after its own (tests may). Tests of any layer may also
#     use the registry of built-in operators, dimwise/builtin.h, and headers for tests, *_testing.h;
#   - a file of the library uses a header of a component, which the library does not contain (tests may);
#   - a public header is missing in the table of headers below, or includes anything but public headers and
#     the standard library;
#   - a quoted include is neither "dimwise/x.h" nor "<layer>/x.h";
#   - a layer that has to run in a browser (core to native_ops) uses files, threads or the system. Tests may, and
#     so may the file that requests large pages;
#   - core, rules, graph, infer or report contains the name of an operator, because these layers serve all
#     frameworks: a string that is the name of an operator in the rule files, or a name after its set, such as
#     onnx.Relu. Exceptions are tests, the examples of diagnostics, and the export to MLIR.
set -eu
root=${1:-.}
if [ ! -d "$root/src" ]; then
  echo "check_layers: no folder $root/src" >&2
  exit 2
fi

# Prints the sources of the project.
sources() {
  find "$root/src" "$root/include/dimwise" -type f \( -name '*.h' -o -name '*.cc' -o -name '*.inc' \) 2>/dev/null |
    sort
}

sources | awk -v root="$root" '
BEGIN {
  # A layer may use layers with a smaller number, and itself.
  rank["core"] = 1; rank["rules"] = 2; rank["ops"] = 3; rank["graph"] = 4; rank["infer"] = 5
  rank["native_ops"] = 6; rank["formats"] = 7; rank["report"] = 8; rank["cli"] = 9; rank["python"] = 9
  rank["web"] = 9
  last_in_browser = rank["native_ops"]
  # The order of the folders of a layer.
  folders("core/base core/dims core/facts core/types core/values")
  folders("rules/language rules/compile rules/evaluate")
  folders("infer infer/context infer/operators infer/driver " \
          "infer/engine/state infer/engine/analyses infer/engine/control infer/engine infer/solver " \
          "infer/program infer/generalize")
  folders("native_ops/onnx native_ops")
  folders("formats formats/protobuf formats/onnx formats/tensorflow")
  folders("report/text report/operators report/mlir report/programs report/models report/explain")

  # Patterns of the components in CMakeLists.txt.
  component("infer/driver/", "rule_driver")
  component("report/mlir/", "mlir")
  component("infer/generalize/", "generalize")
  component("formats/onnx/(onnx_patch|patch_writer)[_.]", "generalize")
  component("report/models/size_changes\\.", "generalize")

  # The layer of each public header. Add new headers here.
  headers("core", "analysis.h attr_value.h guard.h condition.h diagnostic.h dim.h element_type.h export.h " \
                  "facts.h large_vector.h result.h result_macros.h shape.h small_list.h storage.h " \
                  "tensor_shape.h type.h value.h version.h")
  headers("rules", "op_properties.h rule.h")
  headers("ops", "op_def.h op_registry.h")
  headers("graph", "graph.h graph_text.h")
  headers("infer", "evaluator.h inference.h inference_context.h node_description.h program.h refiner.h " \
                   "residual_guard.h shape_functions.h solver.h")
  headers("native_ops", "builtin.h")
  headers("formats", "onnx.h tensorflow.h")
  headers("report", "report.h")

  split("condition_variable filesystem fstream future iostream thread unistd.h fcntl.h", words, " ")
  for (i in words) of_the_system[words[i]] = 1

  bad = 0
  files = 0
}

function headers(layer, names,    list, count, i) {
  count = split(names, list, " ")
  for (i = 1; i <= count; ++i) layer_of_header[list[i]] = layer
}

function folders(names,    list, count, i) {
  count = split(names, list, " ")
  for (i = 1; i <= count; ++i) place[list[i]] = i
}

function component(pattern, name) {
  component_of[pattern] = name
}

# Returns the component of a file whose path starts at its layer, or "" if the library contains it.
function find_component(name,    pattern) {
  for (pattern in component_of) {
    if (name ~ ("^" pattern)) return component_of[pattern]
  }
  return ""
}

function complain(what) {
  print file ":" line_number ": " what
  ++bad
}

# Returns the layer of a quoted include, or "".
function layer_of_include(name,    parts) {
  if (name ~ /^dimwise\//) {
    sub(/^dimwise\//, "", name)
    return layer_of_header[name]
  }
  split(name, parts, "/")
  return (parts[1] in rank) ? parts[1] : ""
}

function check_quoted(name,    used) {
  used = layer_of_include(name)
  if (is_public && name !~ /^dimwise\//) {
    complain("a public header includes \"" name "\"; it may include only \"dimwise/...\" and the standard library")
  } else if (used == "" && name ~ /^dimwise\//) {
    complain("\"" name "\" is not in the table of public headers in tools/check_layers.sh; add it")
  } else if (used == "" && !is_library(name)) {
    complain("write \"" name "\" as \"dimwise/x.h\" or \"<layer>/x.h\"")
  } else if (is_test && (name == "dimwise/builtin.h" || name ~ /_testing\.h$/)) {
    return
  } else if (used != "" && used != layer && rank[used] >= rank[layer]) {
    complain(layer " must not use " used " (\"" name "\"): a layer uses only those above it in the design")
  } else if (used == layer && !is_test && place[folder_of(name)] > place[folder]) {
    complain(folder " must not use " folder_of(name) " (\"" name "\"): a folder of " layer " uses only those before it")
  } else if (find_component(name) != "" && find_component(name) != own_component && !is_test && layer != "cli") {
    complain("only the component " find_component(name) " and cli use \"" name "\"; the library does not contain it")
  }
}

function folder_of(name) {
  sub(/\/[^\/]*$/, "", name)
  return name
}

# Some libraries are included with quotes, as their documentation recommends.
function is_library(name) {
  return name ~ /^(gtest|gmock|benchmark|fmt|tsl|CLI)\// || name == "simdjson.h"
}

function check_angled(name) {
  if (is_public && name ~ /[.\/]/) {
    complain("a public header includes <" name ">; dependencies stay out of public headers")
  } else if (rank[layer] <= last_in_browser && !is_test && !asks_for_pages &&
             (name in of_the_system || name ~ /^sys\//)) {
    complain("<" name "> in " layer ": from core to native_ops nothing uses files, threads or the system")
  }
}

{
  file = $0
  ++files
  path = substr(file, length(root) + 2)
  line_number = 1
  is_public = (path ~ /^include\/dimwise\//)
  is_test = (path ~ /_(test|testing|fuzz|bench)\.(h|cc)$/)
  asks_for_pages = (path == "src/core/base/large_vector.cc")
  folder = folder_of(substr(path, length("src/") + 1))
  own_component = find_component(substr(path, length("src/") + 1))
  split(path, parts, "/")
  if (is_public) {
    name = substr(path, length("include/dimwise/") + 1)
    layer = layer_of_header[name]
    if (layer == "") {
      complain("this public header has no layer; add it to the table in tools/check_layers.sh")
      next
    }
  } else {
    layer = parts[2]
    if (!(layer in rank) || parts[3] == "") {
      complain("src/ holds only the layers of the design; there is none called " layer)
      next
    }
  }
  line_number = 0
  while ((getline line < file) > 0) {
    ++line_number
    if (line !~ /^[ \t]*#[ \t]*include[ \t]*["<]/) continue
    sub(/^[ \t]*#[ \t]*include[ \t]*/, "", line)
    quote = substr(line, 1, 1)
    line = substr(line, 2)
    if (quote == "<") { sub(/>.*/, "", line); check_angled(line) }
    else { sub(/".*/, "", line); check_quoted(line) }
  }
  close(file)
}

END {
  if (files == 0) { print "check_layers: no sources under " root; exit 1 }
  if (bad > 0) { print "check_layers: " bad " wrong in " files " files"; exit 1 }
  print "check_layers: " files " files are in order"
}'


# ---- Names of operators ----

# Prints "<set> <operator>" for each operator of the rule files.
operators() {
  find "$root/src/ops" -name '*.shape' ! -name definitions.shape -type f 2>/dev/null | sort | xargs -r awk '
    $1 == "set" { set = $2 }
    sub(/^((shape|type|storage) )?op /, "") { in_names = 1 }
    in_names {
      while (match($0, /^ *[A-Za-z0-9_]+ *,? */)) {
        name = substr($0, 1, RLENGTH)
        $0 = substr($0, RLENGTH + 1)
        in_names = sub(/,/, "", name)
        gsub(/ /, "", name)
        print set, name
        if (!in_names) break
      }
    }' | sort -u
}

{ operators; echo; sources; } | awk -v root="$root" '
function may_name_operators(path) {
  return path !~ /^src\/(core|rules|graph|infer|report)\// || path ~ /_(test|testing|fuzz)\.(h|cc)$/ ||
         path == "src/core/base/diagnostic.cc" || path ~ /^src\/report\/mlir\//
}

function complain(name) {
  print file ":" line_number ": names the operator " name
  ++bad
}

# Complains about each string that is the name of an operator.
function check_strings(line) {
  while (match(line, /"[A-Za-z][A-Za-z0-9_]*"/)) {
    if (substr(line, RSTART + 1, RLENGTH - 2) in operator) complain(substr(line, RSTART, RLENGTH))
    line = substr(line, RSTART + RLENGTH - 1)
  }
}

# Complains about each name of an operator after its set.
function check_qualified(line,    name, dot) {
  while (match(line, /[a-z][a-z.]*\.[A-Z][A-Za-z0-9_]*/)) {
    name = substr(line, RSTART, RLENGTH)
    line = substr(line, RSTART + RLENGTH)
    match(name, /\.[A-Z]/)
    dot = RSTART
    if (substr(name, 1, dot - 1) in set && substr(name, dot + 1) in operator) complain(name)
  }
}

!after_operators {
  if ($0 == "") after_operators = 1
  set[$1] = 1
  operator[$2] = 1
  next
}

{
  file = $0
  if (may_name_operators(substr(file, length(root) + 2))) next
  line_number = 0
  while ((getline line < file) > 0) {
    ++line_number
    check_strings(line)
    check_qualified(line)
  }
  close(file)
}

END {
  if (bad == 0) exit 0
  print "check_layers: " bad " names of operators in layers that serve all frameworks"
  exit 1
}'
