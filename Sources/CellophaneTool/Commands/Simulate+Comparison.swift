internal import Cellophane
internal import CellophaneBatch
internal import CellophaneReport
internal import CellophaneResults

extension Simulate {
  /// Writes the outputs of `--compare`.
  ///
  /// - Throws: ``Failure`` if an assertion about a difference does not hold, or if the blank share is confirmed to be worse.
  func write(comparisonOf results: [SimulationResult], _ assertions: [Assertion]) throws {
    var comparison = try ResultComparison(results[0], results[1])
    let names = comparisons.compare
    comparison.assertions = assertions.map { [comparison] in $0.checked(on: comparison) }
    if let page = exports.htmlPath {
      try FileIO.write(Array(comparison.html(names, of: results).utf8), to: page)
    }
    if let jsonPath = general.jsonPath { try FileIO.write(comparison.json(), to: jsonPath) }
    if !general.quiet, general.jsonPath != "-", !exports.usesStandardOutput {
      try Output.bytes(
        Array(comparison.table(names, all: live.showsAll, usesColor: live.colorsTables).utf8).span)
    }
    try Failure.check(comparison.assertions)
    if comparison.rows[.metric(.blankRatio)]?.claim == .worse {
      throw Failure(
        .shownWorse, kind: "shown-worse", "the blank share of the second result is confirmed to be worse")
    }
  }
}
