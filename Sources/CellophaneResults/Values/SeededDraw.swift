#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// Stateless random numbers: each is a pure function of the seed, the name of a stream and the number of an
/// object. More draws from one stream, or draws in another order, change no other draw. Two loaders with the
/// same seed therefore have the same gestures and the same images (common random numbers).
package struct SeededDraw: Sendable, Hashable {
  let seed: UInt64

  /// Creates the random numbers of `seed`.
  package init(seed: UInt64) { self.seed = seed }

  /// Returns 64 uniform bits.
  package func bits(_ stream: String, _ id: Int) -> UInt64 {
    Self.mixed(Self.mixed(Self.mixed(seed) ^ Self.hash(stream)) ^ UInt64(bitPattern: Int64(id)))
  }

  /// Returns a uniform number in 0..<1, in steps of 2⁻⁵³.
  package func uniform(_ stream: String, _ id: Int) -> Double {
    Double(bits(stream, id) >> 11) * 0x1p-53
  }

  /// Returns true with `probability`.
  package func chance(_ probability: Double, _ stream: String, _ id: Int) -> Bool {
    uniform(stream, id) < probability
  }

  /// Returns a uniform number in `range`.
  package func uniform(in range: ClosedRange<Double>, _ stream: String, _ id: Int) -> Double {
    range.lowerBound + (range.upperBound - range.lowerBound) * uniform(stream, id)
  }

  /// Returns a lognormal number: `median`, and `sigma` as the standard deviation of its logarithm.
  package func lognormal(median: Double, sigma: Double, _ stream: String, _ id: Int) -> Double {
    median * exp(sigma * normal(stream, id))
  }

  /// Returns a number with the standard normal distribution.
  package func normal(_ stream: String, _ id: Int) -> Double {
    // Box and Muller (1958). The radius takes its uniform number from 0 exclusive, because log(0) is
    // infinite.
    let radius = (-2 * log(1 - uniform(stream, 2 * id))).squareRoot()
    return radius * cos(2 * .pi * uniform(stream, 2 * id + 1))
  }

  /// Returns `base` to the power of `exponent`.
  package static func power(_ base: Double, _ exponent: Double) -> Double { pow(base, exponent) }

  /// Returns the FNV-1a hash of a short text. Its bits need further mixing.
  package static func hash(_ text: String) -> UInt64 {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    return hash
  }

  /// Returns the finalizer of SplitMix64 (Steele, Lea, Flood: OOPSLA 2014) after one step of its counter.
  package static func mixed(_ value: UInt64) -> UInt64 {
    var z = value &+ 0x9E37_79B9_7F4A_7C15
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}
