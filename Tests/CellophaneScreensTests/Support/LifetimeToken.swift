internal import TestSupport

/// A token that counts in `alive` during its lifetime.
final class LifetimeToken: Sendable {
  private let alive: Shared<Int>

  init(_ alive: Shared<Int>) {
    self.alive = alive
    alive.update { $0 += 1 }
  }

  deinit { alive.update { $0 -= 1 } }
}
