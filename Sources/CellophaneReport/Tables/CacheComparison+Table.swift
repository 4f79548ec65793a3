extension CacheComparison {
  /// Returns the comparison as a text table with a final line break.
  package func table() -> String {
    let widths = [36, 14, 14]
    func line(_ name: String, _ ratios: Ratios) -> String {
      TextTable.line(
        ["  " + name, Quantity.percent(ratios.hitRatio), Quantity.percent(ratios.byteHitRatio)],
        widths: widths)
    }
    var lines = [
      "\(trace.requests) requests for \(trace.keys) objects, \(Quantity.bytes(Double(trace.keyBytes))) in total"
        + (trace.skipped > 0 ? ", \(trace.skipped) writes skipped" : "")
        + " (\(trace.format)\(trace.heading ? ", first line read as a heading" : ""))",
      "", TextTable.line(["cache", "hits", "byte hits"], widths: widths),
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
