internal import ArgumentParser
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

/// One eviction policy, or all.
enum PolicyChoice: ExpressibleByArgument {
  case one(EvictionRule)
  case all

  init?(argument: String) {
    guard argument != "all" else {
      self = .all
      return
    }
    guard let rule = EvictionRule(rawValue: argument) else { return nil }
    self = .one(rule)
  }
}

extension EvictionRule {
  /// The names of all, as a sentence lists them.
  static var names: String { allCases.map(\.rawValue).joined(separator: ", ") }
}

/// Sizes of a cache, such as `1%,10%,50MB`.
struct CacheSizes: ExpressibleByArgument {
  let sizes: [CacheSize]

  init?(argument: String) {
    var sizes: [CacheSize] = []
    for word in argument.split(separator: ",", omittingEmptySubsequences: false) {
      if word.last == "%" {
        guard let percent = Double(word.dropLast()), percent > 0, percent <= 100 else { return nil }
        sizes.append(.share(percent / 100))
      } else {
        guard let count = ByteCount(argument: String(word)), count.bytes > 0 else { return nil }
        sizes.append(.bytes(count.bytes))
      }
    }
    // 100: more lines than anybody reads, and some minutes for a long trace.
    guard sizes.count <= 100 else { return nil }
    self.sizes = sizes
  }
}
