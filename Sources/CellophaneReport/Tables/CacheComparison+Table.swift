extension CacheComparison {
  /// Returns the comparison as a text table with a final line break. It has at most 84 columns.
  ///
  /// Objects of equal sizes have an exact optimum, so the table leaves out the upper bound. JSON has both.
  package func table() -> String {
    let widths = hasSizes ? [36, 14, 14] : [36, 14]
    func line(_ name: String, _ ratios: Ratios) -> String {
      TextTable.line(
        ["  " + name, Quantity.percent(ratios.hitRatio), Quantity.percent(ratios.byteHitRatio)],
        widths: widths)
    }
    var lines = [
      "\(Self.count(trace.requests, "request")) for \(Self.count(trace.keys, "object"))"
        + (hasSizes ? ", \(Quantity.bytes(Double(trace.keyBytes))) in total" : "")
        + (trace.skipped > 0 ? ", \(Self.count(trace.skipped, "write")) skipped" : "")
        + " (\(trace.format)\(trace.heading ? ", first line read as a heading" : ""))",
      "", TextTable.line(["cache", "hits", "byte hits"], widths: widths),
    ]
    for size in sizes {
      lines.append(hasSizes ? Quantity.bytes(Double(size.bytes)) : Self.count(size.bytes, "object"))
      lines += size.policies.sorted { ($1.value.hitRatio, $0.key) < ($0.value.hitRatio, $1.key) }
        .map { line($0.key, $0.value) }
      lines.append(
        size.bounds.belady.map { line("best possible (Belady)", $0) }
          ?? line("upper bound (PFOO-L)", size.bounds.pfooL))
    }
    return (lines + [""] + explanation).joined(separator: "\n") + "\n"
  }

  /// False if all objects have size 1, as in a trace without sizes. An object has at least one byte.
  private var hasSizes: Bool { trace.keyBytes != trace.keys }

  private var explanation: [String] {
    let hits = "hits: the share of the requests that found their object in the cache."
    let sizes =
      hasSizes
      ? [
        hits + " byte hits: the\nshare of the requested bytes that came from it.",
        "objects: an id with another size is another object.",
      ] : [hits, "All objects have size 1, so the size of a cache is a number of objects."]
    let limit =
      self.sizes.contains { $0.bounds.belady == nil }
      ? "upper bound: no cache of this size exceeds it; the best possible may be lower."
      : "best possible: no cache of this size has more hits, even if it knows all requests\n"
        + "in advance."
    return sizes + [limit]
  }

  private static func count(_ number: Int, _ noun: String) -> String {
    "\(number) \(noun)" + (number == 1 ? "" : "s")
  }
}
