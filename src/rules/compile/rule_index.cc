#include "rules/compile/rule_index.h"

#include <algorithm>
#include <atomic>
#include <cctype>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <map>
#include <mutex>

#include "rules/language/expand_groups.h"
#include "rules/language/mistake.h"
#include "rules/language/parser.h"

namespace dimwise::rules {
namespace {

enum class Kind : uint8_t { kOther, kOperator, kPart, kFunction, kTemplate, kSet };

// Returns the kind of declaration that a line starts, and the text after the keyword.
Kind KindOf(std::string_view line, std::string_view* rest) {
  static constexpr std::pair<std::string_view, Kind> kKinds[] = {
      {"op ", Kind::kOperator},     {"shape op ", Kind::kPart}, {"type op ", Kind::kPart},
      {"storage op ", Kind::kPart}, {"fn ", Kind::kFunction},   {"template ", Kind::kTemplate},
      {"set ", Kind::kSet}};
  for (const auto& [word, kind] : kKinds) {
    if (!line.starts_with(word)) continue;
    *rest = line.substr(word.size());
    return kind;
  }
  return Kind::kOther;
}

// The words and commas at the start of a declaration: `Sin, Cos since 7 (`.
class HeaderWords {
 public:
  explicit HeaderWords(std::string_view text) : text_(text) {}

  // Returns the next word without backquotes; empty if none follows.
  std::string_view Word() {
    Skip();
    size_t n = 0;
    if (text_.starts_with('`')) {
      n = text_.find('`', 1);
      if (n == std::string_view::npos) return {};
      const std::string_view name = text_.substr(1, n - 1);
      text_.remove_prefix(n + 1);
      return name;
    }
    while (n < text_.size() &&
           (std::isalnum(static_cast<unsigned char>(text_[n])) != 0 || text_[n] == '_' || text_[n] == '.'))
      ++n;
    const std::string_view word = text_.substr(0, n);
    text_.remove_prefix(n);
    return word;
  }
  bool Comma() {
    Skip();
    if (!text_.starts_with(',')) return false;
    text_.remove_prefix(1);
    return true;
  }

 private:
  void Skip() { text_.remove_prefix(std::min(text_.find_first_not_of(" \t\r\n"), text_.size())); }
  std::string_view text_;
};

int Number(std::string_view word) {
  int n = 0;
  std::from_chars(word.data(), word.data() + word.size(), n);
  return n;
}

[[noreturn]] void Broken(const Diagnostic& mistake) {
  std::fprintf(stderr, "%s\n", ToString(mistake).c_str());
  std::abort();
}

}  // namespace

// Parses declarations on first use. A parsed declaration does not move; a reader that finds it parsed takes
// no lock.
struct RuleIndex::Declarations : Functions {
  struct Declaration {
    std::string_view text, file, set;
    std::string_view header;  // from `set` to the first declaration of the file
    int line = 1;             // of the file: where the text starts
    uint32_t first_entry = 0, entry_count = 0;
    bool is_part = false;
    std::unique_ptr<File> parsed;
    std::shared_ptr<const RuleCode> code;
    std::deque<Rule> rules;              // one for each entry
    std::atomic<bool> compiled = false;  // whether `rules` is complete
  };

  std::deque<Declaration> all;
  std::map<std::string_view, Declaration*> functions, templates;
  std::map<uint32_t, std::vector<Declaration*>> further;  // further parts of an entry beyond its declaration
  bool has_parts = false;                                 // if false, no entry has further parts
  std::mutex reading;

  // REQUIRES below: `reading` is held.
  File& Parsed(Declaration* d) const {
    if (d->parsed != nullptr) return *d->parsed;
    auto file = std::make_unique<File>();
    if (d->header.find(':') != std::string_view::npos) {
      File header;
      for (const Diagnostic& mistake : ParsePart(d->header, d->file, 1, &header)) Broken(mistake);
      file->types = std::move(header.types);
    }
    for (const Diagnostic& mistake : ParsePart(d->text, d->file, d->line, file.get())) Broken(mistake);
    file->set = d->set;
    d->parsed = std::move(file);
    return *d->parsed;
  }
  const Function* Find(std::string_view name) const override {
    const auto at = functions.find(name);
    return at == functions.end() ? nullptr : &Parsed(at->second).functions.at(0);
  }
  std::vector<std::string> Names() const override {
    std::vector<std::string> names;
    for (const auto& [name, declaration] : functions) names.emplace_back(name);
    return names;
  }
  const Operator* TemplateNamed(std::string_view name) const {
    const auto at = templates.find(name);
    return at == templates.end() ? nullptr : &Parsed(at->second).operators.at(0);
  }
  // Includes groups in the operator of a parsed declaration. Has no effect the second time.
  void Expand(File& file) const {
    const auto mistake =
        ExpandGroups(file.operators.at(0), [&](std::string_view name) { return TemplateNamed(name); });
    if (mistake) Broken(Mistake(file, mistake->at, Code::kRuleName, mistake->message));
  }
  // Returns the rule that a declaration defines for one of its names.
  Rule RuleOf(Declaration* d, const Entry& e) {
    File& file = Parsed(d);
    Operator& op = file.operators.at(0);
    if (d->code == nullptr) Expand(file);
    const Operator* base = TemplateNamed(op.like);
    if (d->code == nullptr) {
      if (base != nullptr) Expand(Parsed(templates.find(op.like)->second));
      const Complain complain = [&](Position at, Code code, std::string message, std::string help) {
        return Mistake(file, at, code, std::move(message), std::move(help));
      };
      Result<RuleCode> code = Compiler(*this, complain).Compile(op, base);
      if (!code) Broken(code.error());
      d->code = std::make_shared<const RuleCode>(std::move(*code));
    }
    return {
        std::string(e.set), std::string(e.name), e.since, e.until, &op, base, &file, d->code, op.part, {}};
  }
  void Compile(Declaration* d, std::span<const Entry> entries) {
    for (uint32_t i = d->first_entry; i < d->first_entry + d->entry_count; ++i) {
      d->rules.push_back(RuleOf(d, entries[i]));
      const auto at = further.find(i);
      if (at == further.end()) continue;
      for (Declaration* part : at->second) JoinPart(RuleOf(part, entries[i]), &d->rules.back());
    }
  }
};

RuleIndex::RuleIndex() : declarations_(std::make_unique<Declarations>()) {}
RuleIndex::~RuleIndex() = default;

void RuleIndex::Add(std::string_view text, std::string_view file_name) {
  using Declaration = Declarations::Declaration;
  std::string_view set, header;
  size_t header_begin = 0;
  Declaration* open = nullptr;          // the declaration that contains the line
  size_t doc = std::string_view::npos;  // start of the documentation before the next declaration
  int number = 0, doc_number = 0;       // of this line, and of the start of the documentation
  for (size_t at = 0; at < text.size();) {
    ++number;
    size_t end = text.find('\n', at);
    if (end == std::string_view::npos) end = text.size();
    const std::string_view line = text.substr(at, end - at);
    std::string_view rest;
    const Kind kind = line.empty() || line[0] == ' ' ? Kind::kOther : KindOf(line, &rest);
    if (line.starts_with("##") && doc == std::string_view::npos) {
      doc = at;
      doc_number = number;
    }
    if (kind != Kind::kOther) {
      const bool documented = doc != std::string_view::npos;
      const size_t begin = documented ? doc : at;
      if (open != nullptr)
        open->text = open->text.substr(0, begin - static_cast<size_t>(open->text.data() - text.data()));
      open = nullptr;
      doc = std::string_view::npos;
      HeaderWords words(text.substr(static_cast<size_t>(rest.data() - text.data())));
      if (kind == Kind::kSet) {
        set = words.Word();
        header_begin = at;
        header = {};
      } else {
        if (header.empty()) header = text.substr(header_begin, begin - header_begin);
        open = &declarations_->all.emplace_back();
        open->text = text.substr(begin);
        open->file = file_name;
        open->line = documented ? doc_number : number;
        open->set = set;
        open->header = header;
      }
      if (kind == Kind::kFunction) declarations_->functions[words.Word()] = open;
      if (kind == Kind::kTemplate) declarations_->templates[words.Word()] = open;
      if (kind == Kind::kOperator || kind == Kind::kPart) {
        open->is_part = kind == Kind::kPart;
        AddEntries(set, &words);
      }
    }
    at = end + 1;
  }
}

// Adds the names and versions at the start of the last declaration.
template <typename HeaderWords>
void RuleIndex::AddEntries(std::string_view set, HeaderWords* words) {
  Declarations::Declaration& declaration = declarations_->all.back();
  std::vector<std::string_view> names;
  do {
    names.push_back(words->Word());
  } while (words->Comma());
  int since = 1, until = 0;
  for (std::string_view word = words->Word(); !word.empty(); word = words->Word()) {
    if (word == "since") since = Number(words->Word());
    if (word == "until") until = Number(words->Word());
    if (word == "like") words->Word();
    if (word != "since" && word != "until" && word != "like") break;  // the first statement
  }
  declaration.first_entry = static_cast<uint32_t>(entries_.size());
  declarations_->has_parts |= declaration.is_part;
  for (const std::string_view name : names) {
    const auto joins = [&](const Entry& e) {
      if (e.name != name || e.set != set || e.since != since || e.until != until) return false;
      return declaration.is_part || declarations_->all[e.declaration].is_part;
    };
    const auto whole = declarations_->has_parts ? std::ranges::find_if(entries_, joins) : entries_.end();
    if (whole != entries_.end()) {
      declarations_->further[static_cast<uint32_t>(whole - entries_.begin())].push_back(&declaration);
    } else {
      entries_.push_back({set, name, since, until, static_cast<uint32_t>(declarations_->all.size() - 1)});
    }
  }
  declaration.entry_count = static_cast<uint32_t>(entries_.size()) - declaration.first_entry;
}

const Rule& RuleIndex::Load(const Entry& entry) const {
  Declarations::Declaration& d = declarations_->all[entry.declaration];
  if (!d.compiled.load(std::memory_order_acquire)) {
    const std::lock_guard lock(declarations_->reading);
    if (!d.compiled.load(std::memory_order_relaxed)) {
      declarations_->Compile(&d, entries());
      d.compiled.store(true, std::memory_order_release);
    }
  }
  return d.rules[static_cast<size_t>(&entry - entries_.data()) - d.first_entry];
}

const Rule* RuleIndex::Find(std::string_view full_name, int version) const {
  const Entry* best = nullptr;
  for (const Entry& e : entries_) {
    if (full_name.size() != e.set.size() + 1 + e.name.size() || !full_name.starts_with(e.set) ||
        !full_name.ends_with(e.name))
      continue;
    if (e.since > version || (e.until != 0 && version >= e.until)) continue;
    if (best == nullptr || e.since >= best->since) best = &e;
  }
  return best == nullptr ? nullptr : &Load(*best);
}

}  // namespace dimwise::rules
