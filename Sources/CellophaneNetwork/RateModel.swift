/// A model of the rate of a mobile network: lognormal, correlated over time, and interrupted by outages.
///
/// The logarithm of the rate is a first-order autoregressive process in steps of 100 ms. Outages, in which nothing
/// arrives, begin and end with constant probabilities per step. The numbers follow published traces, which
/// Documentation/network-model.md lists with their statistics: those of Mahimahi (Netravali et al., USENIX ATC 2015), HSDPA
/// in Oslo (Riiser et al., MMSys 2013), and 5G in Ireland (Raca et al., MMSys 2020).
package struct RateModel: Hashable, Sendable {
  /// The duration of a step, in ms. 100 ms: about a round trip. Faster changes hardly reach a viewer.
  package static let step = 100
  /// The number of steps until the rates repeat: ten minutes.
  package static let steps = 6_000

  /// The standard deviation of the rate's logarithm.
  package let sigma: Double
  /// The time after which the correlation of the logarithms is 1/e, in s.
  package let correlationTime: Double
  /// The number of outages per minute.
  package let outagesPerMinute: Double
  /// The mean length of an outage, in s.
  package let outageLength: Double
  /// The coefficient of variation of the one-second rates. It follows from the other numbers.
  package let variation: Double

  /// LTE.
  package static let lte = RateModel(
    sigma: 0.63, correlationTime: 6, outagesPerMinute: 2.5, outageLength: 0.9, variation: 0.7)
  /// 3G: between the filtered rates of HSDPA and those of UMTS.
  package static let threeG = RateModel(
    sigma: 0.53, correlationTime: 8, outagesPerMinute: 2.5, outageLength: 1.2, variation: 0.6)
  /// 5G below 6 GHz.
  package static let fiveG = RateModel(
    sigma: 0.88, correlationTime: 6, outagesPerMinute: 2.8, outageLength: 1.4, variation: 1.1)

  /// The share of the time that is no outage.
  package var availability: Double { 1 - outagesPerMinute / 60 * outageLength }
}
