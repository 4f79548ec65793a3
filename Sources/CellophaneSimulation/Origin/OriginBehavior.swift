internal import Cellophane

/// The behavior of an origin with a share of failures, slow answers and images that must be revalidated. A
/// pure function of the seed, the target, and the number of earlier requests for it.
struct OriginBehavior: Sendable {
  private let origin: SimulationConfiguration.Origin
  private let draw: SeededDraw

  /// Creates the behavior of `origin`, whose values have been checked.
  init(_ origin: SimulationConfiguration.Origin, seed: UInt64) {
    self.origin = origin
    draw = SeededDraw(seed: seed)
  }

  /// Returns true if the `attempt`th request for `target`, from 0, fails with status 503.
  func fails(_ target: String, attempt: Int) -> Bool {
    draw.chance(origin.fail, "fail", SeededDraw.id(target, attempt: attempt))
  }

  /// Returns the factor on the time to the first byte of an answer. It is 1 for most answers. For the share
  /// of slow answers it has a Pareto distribution from 1 on.
  func slowness(of target: String, attempt: Int) -> Double {
    guard let tail = origin.slowTail, draw.chance(tail.share, "slow", SeededDraw.id(target, attempt: attempt))
    else {
      return 1
    }
    // 1 − u is in (0, 1].
    let rest = 1 - draw.uniform("slowness", SeededDraw.id(target, attempt: attempt))
    return min(SeededDraw.power(rest, -1 / tail.alpha), Self.maxSlowness)
  }

  /// The largest factor. A slower answer is later than any deadline.
  private static let maxSlowness = 100_000.0

  /// Returns true if a cache must revalidate its copy of `target` before each use.
  func mustRevalidate(_ target: String) -> Bool {
    draw.chance(origin.revalidate, "revalidate", SeededDraw.id(target, attempt: 0))
  }
}
