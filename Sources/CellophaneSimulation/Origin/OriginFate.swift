internal import Cellophane

/// What becomes of a request at an origin with its share of failures, slow answers and pictures that must be asked about
/// again: a pure function of the seed, of what is asked for, and of how often it was asked for before.
struct OriginFate: Sendable {
  private let origin: SimulationConfiguration.Origin
  private let draw: SeededDraw

  /// The fates at `origin`, whose numbers have been checked.
  init(_ origin: SimulationConfiguration.Origin, seed: UInt64) {
    self.origin = origin
    draw = SeededDraw(seed: seed)
  }

  /// True when the `attempt`th request for `target`, from 0, is answered with 503.
  func fails(_ target: String, attempt: Int) -> Bool {
    draw.chance(origin.fail, "fail", SeededDraw.id(target, attempt: attempt))
  }

  /// How many times longer than the others the first byte of this answer takes: 1 for most of them, for the share of
  /// slow ones drawn from a Pareto distribution from 1 on.
  func slowness(of target: String, attempt: Int) -> Double {
    guard let tail = origin.slowTail, draw.chance(tail.share, "slow", SeededDraw.id(target, attempt: attempt))
    else {
      return 1
    }
    // 1 − u lies in (0, 1].
    let rest = 1 - draw.uniform("slowness", SeededDraw.id(target, attempt: attempt))
    return min(SeededDraw.power(rest, -1 / tail.alpha), Self.slowest)
  }

  /// The most that an answer can be slowed down: beyond, it is later than any deadline.
  private static let slowest = 100_000.0

  /// True when a cache has to ask whether its copy of `target` still holds, each time that it needs one.
  func mustBeAsked(about target: String) -> Bool {
    draw.chance(origin.revalidate, "revalidate", SeededDraw.id(target, attempt: 0))
  }
}
