internal import Foundation
internal import TestSupport
internal import Testing

@testable internal import CellophaneResults

/// How often a 95 % interval contains the mean of the population that its replicas come from.
@Suite("Coverage of intervals", .thorough)
struct CoverageTests {
  /// A population with a known mean.
  enum Population: String, CaseIterable, Sendable {
    /// Symmetric, as paired differences of the blank share are.
    case normal
    /// Skewed, as wasted bytes are.
    case exponential
    /// Mostly 0, as failures are.
    case mostlyZero

    var mean: Double { self == .normal ? 0 : self == .exponential ? 1 : 0.5 }

    func value(_ draw: SeededDraw, _ id: Int) -> Double {
      switch self {
      case .normal:
        // The sum of twelve uniform numbers is normal up to its far tails.
        (0..<12).reduce(-6) { $0 + draw.uniform("normal\($1)", id) }
      case .exponential: -log(1 - draw.uniform("exponential", id))
      case .mostlyZero: draw.chance(0.5, "zero", id) ? 0 : -log(1 - draw.uniform("value", id))
      }
    }
  }

  /// The share has a standard error of 0.3 points over 5 000 experiments.
  @Test(arguments: Population.allCases)
  func `twenty replicas cover the mean in 94 to 96 of 100 experiments`(population: Population) {
    #expect((0.94...0.96).contains(coverage(of: population, replicas: 20)))
  }

  /// Fewer replicas say less about the skewness of their population.
  @Test(arguments: Population.allCases)
  func `ten replicas cover the mean in 92 to 96 of 100 experiments`(population: Population) {
    #expect((0.92...0.96).contains(coverage(of: population, replicas: 10)))
  }

  private func coverage(of population: Population, replicas: Int) -> Double {
    let experiments = TestScope.rounds(5_000, soak: 20_000)
    // One set of weights for all experiments: their replicas differ.
    let bootstrap = Bootstrap(count: replicas, resamples: 1_000, seed: 1)
    let covered = (0..<experiments).count { experiment in
      let draw = SeededDraw(seed: UInt64(experiment))
      let values = (0..<replicas).map { Double?(population.value(draw, $0)) }
      return bootstrap.mean(of: values)?.estimate.interval?.range?.contains(population.mean) == true
    }
    return Double(covered) / Double(experiments)
  }
}
