internal import Cellophane
internal import CellophaneBatch
internal import CellophaneReport
internal import CellophaneResults

extension Simulate {
  /// Writes the outputs of `--compare`.
  func write(comparisonOf results: [SimulationResult]) throws {
    let (comparison, names) = (try ResultComparison(results[0], results[1]), comparisons.compare)
    if let page = exports.htmlPath {
      try FileIO.write(Array(comparison.html(names, of: results).utf8), to: page)
    }
    if let jsonPath = general.jsonPath { try FileIO.write(comparison.json(), to: jsonPath) }
    if !general.quiet, general.jsonPath != "-", !exports.usesStandardOutput {
      try Output.bytes(Array(comparison.table(names).utf8).span)
    }
  }
}
