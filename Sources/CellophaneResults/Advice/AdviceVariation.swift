internal import Cellophane

/// A change of a scenario in a fact that its author does not know exactly: the reader, the scroll physics, the protocol,
/// the network or the files.
package struct AdviceVariation: Sendable {
  /// The field of the scenario that changes.
  package let parameter: String
  /// The new value, or the factor of the value in the scenario, such as `×0.5`.
  package let value: String
  /// The changed scenario.
  package let configuration: SimulationConfiguration

  /// The field and its value.
  package var title: String { parameter + " " + value }

  /// Returns all variations of `base` that change it and that can be played.
  package static func all(of base: SimulationConfiguration) -> [AdviceVariation] {
    (readers(of: base) + physics(of: base) + protocols(of: base) + scaled(base)).filter { one in
      one.configuration != base && (try? one.configuration.checkedLayout()) != nil
    }
  }

  /// Other readers. A recorded or a constant scroll is known, and has no variations.
  private static func readers(of base: SimulationConfiguration) -> [AdviceVariation] {
    guard base.gesture.parameters != nil else { return [] }
    return [ScrollProfile.reader, .browser, .skimmer].filter { $0 != base.gesture.profile }.map { profile in
      var one = base
      one.gesture.profile = profile
      return AdviceVariation(parameter: "gesture.profile", value: profile.name, configuration: one)
    }
  }

  private static func physics(of base: SimulationConfiguration) -> [AdviceVariation] {
    guard base.gesture.profile.isFlung else { return [] }
    return [ScrollPhysics.ios, .android].map { physics in
      var one = base
      one.gesture.physics = physics
      return AdviceVariation(parameter: "gesture.physics", value: physics.rawValue, configuration: one)
    }
  }

  private static func protocols(of base: SimulationConfiguration) -> [AdviceVariation] {
    [HTTPVersion.http1, .http2].map { version in
      var one = base
      one.network.http = version
      return AdviceVariation(parameter: "network.http", value: version.rawValue, configuration: one)
    }
  }

  /// Half and double of the rate, of the round trip and of the file sizes.
  private static func scaled(_ base: SimulationConfiguration) -> [AdviceVariation] {
    [ScaledParameter.downRate, .roundTrip, .fileSizes].flatMap { parameter in
      [0.5, 2].compactMap { factor in
        parameter.scaled(base, by: factor).map {
          AdviceVariation(
            parameter: parameter.name, value: "×" + Quantity.short(factor), configuration: $0)
        }
      }
    }
  }
}
