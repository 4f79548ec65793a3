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

  static var allValueStrings: [String] { EvictionRule.allCases.map(\.rawValue) + ["all"] }
}
