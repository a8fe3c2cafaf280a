# The filter of tools/Doxyfile: prints a header with its comments in the form that Doxygen reads.
#
#   // text above a declaration        ->  /// text
#   int x;  // text beside it          ->  int x;  ///< text
#   // text at the head of the file    ->  /// \file, and the text as it is written
#
# Comments are plain text: characters with a meaning in HTML or Doxygen are escaped, and an indented example
# stays as it is. Headings of groups of members ("// ---- Building ----") are omitted.
function escaped(text) {
  gsub(/[\\@#<>&$%]/, "\\\\&", text)
  return text
}
BEGIN { at_head = 1 }
at_head && /^\/\// {
  if (NR == 1) print "/// \\file\n/// \\verbatim"
  sub(/^\/\//, "")
  print "///" $0
  next
}
at_head { at_head = 0; print "/// \\endverbatim"; print; next }
# Doxygen cannot place specializations of templates of the standard library.
/^template <>$/ { held = $0; next }
held != "" {
  is_specialization = / std::/
  if (is_specialization) print "/// \\cond"
  print held
  held = ""
}
/^};/ && is_specialization { print; print "/// \\endcond"; is_specialization = 0; next }
/^ *\/\/ ----/ { print ""; next }
/^ *\/\/( |$)/ {
  match($0, /^ *\/\//)
  indent = substr($0, 1, RLENGTH - 2)
  text = substr($0, RLENGTH + 1)
  example = text ~ /^   +/
  if (example && !in_example && !in_comment) example = 0
  if (example && !in_example) { print indent "/// \\verbatim"; in_example = 1 }
  if (!example && in_example && text != "") { print indent "/// \\endverbatim"; in_example = 0 }
  print indent "///" (in_example ? text : escaped(text))
  in_comment = 1
  next
}
{
  if (in_example) { print indent "/// \\endverbatim"; in_example = 0 }
  in_comment = 0
  if ($0 !~ /^ *#/ && match($0, /[^ ] +\/\/ /) && $0 !~ /".*\/\/.*"/) {
    at = RSTART + RLENGTH
    print substr($0, 1, at - 4) "///< " escaped(substr($0, at))
    next
  }
  print
}
