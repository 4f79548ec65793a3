internal import ArgumentParser
internal import Cellophane

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
