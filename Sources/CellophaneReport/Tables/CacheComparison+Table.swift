extension CacheComparison {
  /// Returns the comparison as a text table with a final line break.
  package func table() -> String {
    func left(_ text: String, _ width: Int) -> String {
      text + String(repeating: " ", count: max(0, width - text.count))
    }
    func right(_ text: String) -> String { String(repeating: " ", count: max(1, 14 - text.count)) + text }
    func line(_ name: String, _ ratios: Ratios) -> String {
      "  " + left(name, 34) + right(Quantity.percent(ratios.hitRatio))
        + right(Quantity.percent(ratios.byteHitRatio))
    }
    var lines = [
      "\(trace.requests) requests for \(trace.keys) objects, \(Quantity.bytes(Double(trace.keyBytes))) in total"
        + (trace.skipped > 0 ? ", \(trace.skipped) writes skipped" : "")
        + " (\(trace.format)\(trace.heading ? ", first line read as a heading" : ""))",
      "", left("cache", 36) + right("hits") + right("byte hits"),
    ]
    for size in sizes {
      lines.append(Quantity.bytes(Double(size.bytes)))
      lines += size.policies.sorted { ($1.value.hitRatio, $0.key) < ($0.value.hitRatio, $1.key) }
        .map { line($0.key, $0.value) }
      if let belady = size.bounds.belady { lines.append(line("best possible (Belady)", belady)) }
      lines.append(line("upper bound (PFOO-L)", size.bounds.pfooL))
    }
    return lines.joined(separator: "\n") + "\n"
  }
}
