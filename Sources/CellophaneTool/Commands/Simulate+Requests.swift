internal import Cellophane
internal import CellophaneBatch
internal import CellophaneReport
internal import CellophaneResults

extension Simulate {
  /// Replays the requests at `path` with eviction policies.
  func replay(_ path: String) async throws {
    let format: RequestFormat? =
      if let requestsFormat = cacheTrace.requestsFormat {
        try RequestFormat(parsing: requestsFormat)
      } else {
        nil
      }
    let rules: [EvictionRule]? =
      switch loader.policy {
      case nil, .all: nil
      case .one(let rule): [rule]
      }
    let sizes =
      cacheTrace.sizes?.sizes ?? loader.memory.map { [.bytes($0.bytes)] } ?? [.share(0.01), .share(0.1)]
    let comparison = try await Interruption().runCancellable {
      var reader = RequestReader(name: path == "-" ? "standard input" : path, format: format)
      try FileIO.read(path) { piece throws(LoadError) in
        if Task.isCancelled { throw .cancelled }
        try reader.read(piece)
      }
      return try await CacheComparison(try reader.finish(), readBy: reader, rules: rules, sizes: sizes)
    }
    try write(comparison.json(), table: comparison.table())
  }
}
