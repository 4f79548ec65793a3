internal import TestSupport

/// Counts in `alive` for as long as anybody keeps it.
final class Trace: Sendable {
  private let alive: Shared<Int>

  init(_ alive: Shared<Int>) {
    self.alive = alive
    alive.update { $0 += 1 }
  }

  deinit { alive.update { $0 -= 1 } }
}
