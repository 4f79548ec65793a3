internal import CellophaneNetwork

extension ModelValidation {
  /// Returns the validation as a text table with a final line break.
  package func table() -> String {
    let widths = [12, 9, 12, 12, 12, 12, 12]
    var lines = [
      "\(config.network.profile.name): \(transfers.matched) transfers in both, \(transfers.realOnly) in real time only, "
        + "\(transfers.virtualOnly) in virtual time only",
      TextTable.line(
        ["", "KS", "p50 real", "p50 virtual", "p95 real", "p95 virtual", "typical"], widths: widths),
    ]
    if let blankRatio {
      lines.insert(
        "Blank share: \(Quantity.percent(blankRatio.real)) in real time, "
          + "\(Quantity.percent(blankRatio.virtual)) in virtual time"
          + (lateFrames.map { "; \($0) late frames in real time" } ?? ""),
        at: 1)
    }
    for (name, deviation) in [("first byte", firstByte), ("completion", completion)] {
      guard let deviation else { continue }
      let times = [
        deviation.real.p50, deviation.virtual.p50, deviation.real.p95, deviation.virtual.p95,
        deviation.typicalError,
      ]
      lines.append(
        TextTable.line(
          [name, Quantity.decimal(deviation.distance, places: 3)]
            + times.map { Quantity.decimal($0, places: 1) + " ms" }, widths: widths))
    }
    if completion != nil {
      lines += [
        "", "KS: difference of the real and virtual times, from 0 (equal) to 1 (no overlap).",
        "typical: median error of the model for one transfer.",
      ]
    }
    if let completion, completion.real.p50 > 0 {
      let error = Quantity.percent(abs(completion.medianError) / completion.real.p50)
      lines.append("Error of the median completion time: \(error).")
    }
    // 30: the error of a median of fewer transfers is mostly chance.
    if transfers.matched < 30 {
      lines.append("Too few transfers for a judgment; use a faster network or a longer --duration.")
    }
    return lines.joined(separator: "\n") + "\n"
  }
}
