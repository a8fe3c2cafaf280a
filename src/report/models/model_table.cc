#include "report/models/model_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

namespace dimwise {
namespace {

constexpr size_t kGap = 2;
constexpr size_t kLeastColumn = 12;  // columns are not shortened below this width
constexpr size_t kIndent = 2;        // per nested region

std::string_view SetOf(std::string_view op) {
  return op.substr(0, op.size() - std::min(op.size(), ShortName(op).size() + 1));
}

// Returns the set of most operators of a program.
std::string_view FindCommonSet(const Graph& graph) {
  std::map<std::string_view, size_t> counts;
  for (uint32_t n = 0; n < graph.node_count(); ++n) {
    if (graph.Has(NodeId{n})) ++counts[SetOf(graph.op_name(NodeId{n}))];
  }
  const auto most = std::ranges::max_element(counts, {}, [](const auto& entry) { return entry.second; });
  return most == counts.end() ? std::string_view() : most->first;
}

// A row of the table: a node with its results on successive lines.
struct Row {
  std::string heading;  // of a region; then all other fields are unused
  size_t indent = 0;
  std::string index, node, op, inputs;
  struct Result {
    std::string name, type;
    bool unknown = false;
  };
  std::vector<Result> results;
};

class Table {
 public:
  Table(const ModelReport& report, const TableOptions& options)
      : report_(report), graph_(report.graph()), options_(options), common_set_(FindCommonSet(graph_)) {}

  std::string Print() {
    for (const NodeId node : SelectNodes(report_, options_.filter)) {
      AddHeadings(graph_.region(node));
      AddNode(node, around_.size());
    }
    if (rows_.empty()) return {};
    FitColumns();
    PrintHead();
    for (const Row& row : rows_) PrintRow(row);
    return std::move(text_);
  }

 private:
  enum Column : size_t { kIndex, kNode, kOp, kInputs, kResultName, kColumns };

  // Adds the headings of the regions around a node, except those of the row before.
  void AddHeadings(RegionId region) {
    std::vector<RegionId> around;  // outermost first
    for (; graph_.carrier(region) != kNoNode; region = graph_.region(graph_.carrier(region)))
      around.insert(around.begin(), region);
    const auto shared = std::ranges::mismatch(around, around_).in1 - around.begin();
    for (size_t depth = static_cast<size_t>(shared); depth < around.size(); ++depth) {
      Row& title = rows_.emplace_back();
      title.heading = report_.names.Node(graph_.carrier(around[depth])) + "." +
                      std::string(graph_.attribute(around[depth]));
      title.indent = (depth + 1) * kIndent;
    }
    around_ = std::move(around);
  }

  void AddNode(NodeId node, size_t depth) {
    Row row;
    row.indent = depth * kIndent;
    row.index = std::to_string(graph_.position(node));
    row.node = Printable(graph_.name(node));
    const std::string_view op = graph_.op_name(node);
    row.op = Printable(SetOf(op) == common_set_ ? ShortName(op) : op);
    for (const ValueId v : graph_.operands(node)) {
      if (!row.inputs.empty()) row.inputs += ", ";
      row.inputs += v == kNoValue ? "-" : Printable(graph_.name(v));
    }
    for (const ValueId v : graph_.results(node)) {
      if (graph_.name(v).empty()) continue;
      const Type type = report_.type(v);
      row.results.push_back({Printable(graph_.name(v)), ToString(report_.dims(), type), IsUnknown(type)});
    }
    rows_.push_back(std::move(row));
  }

  void FitColumns() {
    widths_ = {1, 4, 2, 6, 7};  // of the headings
    for (const Row& row : rows_) {
      widths_[kIndex] = std::max(widths_[kIndex], row.index.size());
      widths_[kNode] = std::max(widths_[kNode], row.indent + Width(row.node));
      widths_[kOp] = std::max(widths_[kOp], Width(row.op));
      widths_[kInputs] = std::max(widths_[kInputs], Width(row.inputs));
      for (const Row::Result& result : row.results) {
        widths_[kResultName] = std::max(widths_[kResultName], Width(result.name));
        type_width_ = std::max(type_width_, Width(result.type));
      }
    }
    if (options_.width == 0) return;
    // Shorten the widest column of names first, and types last.
    const auto total = [&] {
      size_t sum = kGap * kColumns + type_width_;
      for (const size_t width : widths_) sum += width;
      return sum;
    };
    while (total() > options_.width) {
      size_t* widest = &widths_[kNode];
      for (const Column c : {kInputs, kResultName}) {
        if (widths_[c] > *widest) widest = &widths_[c];
      }
      if (*widest <= kLeastColumn) widest = &type_width_;
      if (*widest <= kLeastColumn) return;
      --*widest;
    }
  }

  std::string Cell(std::string_view text, Column column) const {
    return Padded(Shortened(text, widths_[column]), widths_[column] + kGap);
  }

  void PrintHead() {
    const std::string head = std::string(widths_[kIndex] - 1, ' ') + "#  " + Cell("node", kNode) +
                             Cell("op", kOp) + Cell("inputs", kInputs) + "outputs";
    text_ += Painted(head, kFaint, options_.colour) + "\n";
  }

  void PrintRow(const Row& row) {
    if (!row.heading.empty()) {
      text_ += std::string(widths_[kIndex] + kGap + row.indent - kIndent, ' ') +
               Painted(Printable(row.heading), kFaint, options_.colour) + "\n";
      return;
    }
    std::string line = std::string(widths_[kIndex] - row.index.size(), ' ') + row.index + "  ";
    line += Cell(std::string(row.indent, ' ') + row.node, kNode);
    line += Painted(Cell(row.op, kOp), kBold, options_.colour);
    line += Cell(row.inputs, kInputs);
    const size_t before = widths_[kIndex] + widths_[kNode] + widths_[kOp] + widths_[kInputs] + 4 * kGap;
    for (size_t i = 0; i < row.results.size(); ++i) {
      if (i > 0) line += "\n" + std::string(before, ' ');
      line += Cell(row.results[i].name, kResultName);
      line += Painted(Clipped(row.results[i].type, type_width_), row.results[i].unknown ? kYellow : kCyan,
                      options_.colour);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text_ += line + "\n";
  }

  const ModelReport& report_;
  const Graph& graph_;
  const TableOptions& options_;
  const std::string_view common_set_;  // its operators are printed without it
  std::vector<Row> rows_;
  std::vector<RegionId> around_;  // the regions around the last row, outermost first
  std::array<size_t, kColumns> widths_ = {};
  size_t type_width_ = 0;
  std::string text_;
};

}  // namespace

std::string ModelTable(const ModelReport& report, const TableOptions& options) {
  return Table(report, options).Print();
}

}  // namespace dimwise
