internal import Cellophane
internal import CellophaneSimulation

extension Simulate {
  /// Plays the requests at `path` against eviction policies.
  func compare(_ path: String) async throws {
    let format: RequestFormat? =
      if let requestsFormat = played.requestsFormat { try RequestFormat(parsing: requestsFormat) } else {
        nil
      }
    let rules: [EvictionRule]? =
      switch keeping.policy {
      case nil, .all: nil
      case .one(let rule): [rule]
      }
    let sizes =
      played.sizes?.sizes ?? keeping.memory.map { [.bytes($0.bytes)] } ?? [.share(0.01), .share(0.1)]
    let comparison = try await Interruption().cancels {
      var reader = RequestReader(name: path == "-" ? "standard input" : path, format: format)
      try FileOutput.read(path) { piece throws(LoadError) in
        if Task.isCancelled { throw .cancelled }
        try reader.read(piece)
      }
      return try await CacheComparison(try reader.finish(), readBy: reader, rules: rules, sizes: sizes)
    }
    if let jsonPath { try FileOutput.write(comparison.json(), to: jsonPath) }
    if !quiet, jsonPath != "-" { try Output.bytes(Array(comparison.table().utf8).span) }
  }
}
