/// The accepted properties of a screen.
package enum ScreenRanges {
  /// The accepted refresh rates, in frames per second. Below 1 there is no scrolling, and screens reach 240.
  package static let refreshRates = 1...240
  /// The accepted densities: from Android's lowest (ldpi) to its highest (xxxhdpi). iPhones have 2 or 3.
  package static let densities = 0.75...4.0
}
