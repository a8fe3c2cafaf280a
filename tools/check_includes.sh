#!/bin/sh
# Checks that each file includes the headers that it uses, and uses only what both compilers support.
#
#   tools/check_includes.sh [ROOT]
#
# The presets compile files in batches with precompiled headers (dimwise_batch), so a missing include does not
# fail there. It would fail when a file is compiled alone. The check fails, with a line for each case, if a
# file uses a declaration of such a header, and neither the file nor a header of ours that it includes,
# directly or indirectly, includes that header. It also fails if a file uses views or a range algorithm that
# returns a subrange: Clang 14, which compiles the fuzzers, does not support them with the library of GCC 12.
set -eu
root=${1:-.}
if [ ! -d "$root/src" ]; then
  echo "check_includes: no folder $root/src" >&2
  exit 2
fi

find "$root/src" "$root/include" "$root/bench" "$root/fuzz" -type f \( -name '*.h' -o -name '*.cc' \) 2>/dev/null |
  sort | awk -v root="$root" '
BEGIN {
  algorithms = "(any_of|all_of|none_of|find|find_if|find_if_not|count|count_if|copy|copy_if|fill|equal|mismatch|sort|" \
               "stable_sort|lower_bound|upper_bound|equal_range|binary_search|reverse|rotate|unique|remove_if|replace|" \
               "transform|for_each|max_element|min_element|minmax|next_permutation|is_sorted|includes|set_intersection|" \
               "set_union|nth_element|partition|adjacent_find|search|starts_with|is_permutation|lexicographical_compare|" \
               "min|max|clamp)"
  no_clang = "std::(ranges::)?views::|std::ranges::(subrange|((stable_)?partition|equal_range|find_end|remove(_if)?|" \
             "rotate|search(_n)?|unique)\\()"
  declares("algorithm", "std::(ranges::)?" algorithms "\\(")
  declares("array", "std::array<")
  declares("cstdint", "(^|[^A-Za-z0-9_])u?int(8|16|32|64)_t")
  declares("functional", "std::(function|hash|less|greater)<")
  declares("map", "std::(multi)?map<")
  declares("memory", "std::(unique_ptr|shared_ptr|make_unique|make_shared)<")
  declares("optional", "std::(optional<|nullopt)")
  declares("set", "std::(multi)?set<")
  declares("span", "std::span<")
  declares("string", "std::(string[^_]|to_string)")
  declares("string_view", "std::string_view")
  declares("utility", "std::(move|swap|exchange|forward<|pair<)")
  declares("vector", "std::vector<")
  declares("fmt/format.h", "fmt::format")
  declares("fmt/ranges.h", "fmt::join")
}

function declares(header, names) {
  headers[++header_count] = header
  named_by[header] = names
}

# Returns the path of a quoted include, or "".
function path_of(name) {
  if (("src/" name) in includes) return "src/" name
  if (("include/" name) in includes) return "include/" name
  return ""
}

# Returns whether the file includes the header, directly or through a header of ours.
function reaches(file, header,    names, count, i, path) {
  if (seen[file]++) return 0
  if (index(includes[file], " " header " ")) return 1
  count = split(includes[file], names, " ")
  for (i = 1; i <= count; ++i) {
    path = path_of(names[i])
    if (path != "" && reaches(path, header)) return 1
  }
  return 0
}

{
  path = substr($0, length(root) + 2)
  files[++file_count] = path
  includes[path] = " "
  line_number = 0
  while ((getline line < $0) > 0) {
    ++line_number
    if (line ~ /^#include [<"]/) {
      sub(/^#include [<"]/, "", line)
      sub(/[>"].*/, "", line)
      includes[path] = includes[path] line " "
      continue
    }
    sub(/\/\/.*/, "", line)
    if (line !~ /::|int/) continue
    if (line ~ no_clang) {
      print path ":" line_number ": uses a feature that Clang 14 cannot compile: a view, or an algorithm that returns a subrange"
      ++bad
    }
    for (i = 1; i <= header_count; ++i) {
      header = headers[i]
      if (!((path, header) in first_line) && line ~ named_by[header]) first_line[path, header] = line_number
    }
  }
  close($0)
}

END {
  for (f = 1; f <= file_count; ++f) {
    for (i = 1; i <= header_count; ++i) {
      if (!((files[f], headers[i]) in first_line)) continue
      split("", seen)
      if (reaches(files[f], headers[i])) continue
      print files[f] ":" first_line[files[f], headers[i]] ": uses a declaration of <" headers[i] "> without including it"
      ++bad
    }
  }
  if (file_count == 0) { print "check_includes: no sources under " root; exit 1 }
  if (bad > 0) { print "check_includes: " bad " wrong in " file_count " files"; exit 1 }
  print "check_includes: " file_count " files are in order"
}'
