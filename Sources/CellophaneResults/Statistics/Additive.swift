/// A value with sums that can be added: over phases, rows or replicas.
protocol Additive: Sendable {
  init()
  static func += (sum: inout Self, other: Self)
}
