extension StudyResult {
  /// The result as a table for people, with a final line break.
  public func table() -> String {
    var lines = incomplete.map { ["INCOMPLETE: " + $0.sentence(of: "cases"), ""] } ?? []
    switch kind {
    case .sensitivity: lines += tornado
    case .sweep where parameters.count == 2: lines += grid
    case .sweep, .suite: lines += list
    }
    lines.append("")
    if kind == .sweep {
      lines.append(
        replicas > 1
          ? "Beside the first case: * shown to be better, ! shown to be worse, by pairs of replicas."
          : "One replica: it does not show how much of a difference is chance.")
    }
    lines.append(contentsOf: broken.map { "INVARIANT BROKEN: " + $0 })
    return lines.joined(separator: "\n") + "\n"
  }

  private static func right(_ text: String, _ width: Int) -> String {
    String(repeating: " ", count: max(1, width - text.count)) + text
  }

  private static func left(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.count))
  }

  /// One line a case, with the numbers that matter most.
  private var list: [String] {
    let numbers: [(title: String, path: MetricPath, format: (Double) -> String)] = [
      ("blank", .metric(.blankRatio), Quantity.percent),
      ("at rest", .metric(.blankRatioAtRest), Quantity.percent),
      ("p90 image", .quantile(.timeToImage, .p90), Quantity.milliseconds),
      ("memory hit", .metric(.memoryHits), Quantity.percent),
      ("received", .metric(.bytesDown), Quantity.bytes), ("wasted", .metric(.wastedBytes), Quantity.bytes),
    ]
    let width = max(16, (cases.map { Self.name(of: $0).count }.max() ?? 0) + 1)
    let head = numbers.reduce(Self.left(parameters.joined(separator: "/"), width)) {
      $0 + Self.right($1.title, $1.title == "blank" ? 14 : 11)
    }
    return [head]
      + cases.map { one in
        numbers.reduce(Self.left(Self.name(of: one), width)) { line, number in
          line + Self.right(cell(one, number.path, number.format), number.title == "blank" ? 14 : 11)
        }
      }
  }

  /// The first parameter downwards, the second to the right: the blank share.
  private var grid: [String] {
    func values(_ place: Int) -> [String] {
      cases.map { $0.values[place] }.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
    }
    let (rows, columns) = (values(0), values(1))
    let width = max(12, (rows.map(\.count).max() ?? 0) + 2)
    let cellWidth = max(15, (columns.map(\.count).max() ?? 0) + 2)
    let head = columns.reduce(Self.left(parameters[0], width)) { $0 + Self.right($1, cellWidth) }
    return ["blank share of picture area; to the right: \(parameters[1])", "", head]
      + rows.map { row in
        columns.reduce(Self.left(row, width)) { line, column in
          let one = cases.first { $0.values == [row, column] }
          let text = one.map { cell($0, .metric(.blankRatio), Quantity.percent) } ?? Quantity.unknown
          return line + Self.right(text, cellWidth)
        }
      }
  }

  /// The change of the blank share, the largest first.
  private var tornado: [String] {
    let blank = MetricPath.metric(.blankRatio)
    func change(_ name: String, _ factor: String) -> MetricDifference? {
      cases.first { $0.values == [name, factor] }?.metrics[blank]?.difference
    }
    func size(_ name: String) -> Double {
      ["0.5", "1.5"].map { abs(change(name, $0)?.mean ?? 0) }.max() ?? 0
    }
    func text(_ difference: MetricDifference?) -> String {
      guard let mean = difference?.mean else { return Quantity.unknown }
      let isShown = difference?.claim(.lower) != nil
      return (mean < 0 ? "-" : "+") + Quantity.points(abs(mean)) + (isShown ? " " : "?")
    }
    let names = cases.dropFirst().map { $0.values[0] }
      .reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }
      .sorted { size($0) > size($1) }
    let largest = names.first.map(size) ?? 0
    let base = cases.first.map { cell($0, blank, Quantity.percent) } ?? Quantity.unknown
    return [
      "blank share of picture area: \(base); its change when one number changes by half", "",
      Self.left("", 24) + Self.right("half", 12) + Self.right("half more", 12),
    ]
      + names.map { name in
        // 28: what is left of 80 columns.
        let bar = largest > 0 ? Int((size(name) / largest * 28).rounded()) : 0
        return Self.left(name, 24) + Self.right(text(change(name, "0.5")), 12)
          + Self.right(text(change(name, "1.5")), 12)
          + (bar > 0 ? "  " + String(repeating: "█", count: bar) : "")
      } + ["", "pp: percentage points. ?: the 95 % interval of the change covers 0."]
  }

  private static func name(of one: Case) -> String { one.values.joined(separator: "/") }

  private func cell(_ one: Case, _ path: MetricPath, _ format: (Double) -> String) -> String {
    guard let number = one.metrics[path], let mean = number.mean else { return Quantity.unknown }
    let mark =
      switch number.difference?.claim(path.better) {
      case .better where kind == .sweep: "*"
      case .worse where kind == .sweep: "!"
      default: ""
      }
    guard path == .metric(.blankRatio), let half = number.interval?.halfWidth, half > 0 else {
      return mark + format(mean)
    }
    return mark + format(mean) + " ±" + format(half).replacing(" %", with: "")
  }
}
