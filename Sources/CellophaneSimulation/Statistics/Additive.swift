/// Sums that can be added up: over phases, over rows, over replicas.
protocol Additive: Sendable {
  init()
  static func += (sum: inout Self, other: Self)
}
