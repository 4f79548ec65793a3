#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// Random numbers without a state: each is a function of the seed, the name of its stream and the number of
/// the thing it is drawn for. Drawing more of one stream, or in another order, changes no other: two
/// loaders under one seed see the same gestures and the same pictures (common random numbers).
struct SeededDraw: Sendable, Hashable {
  let seed: UInt64

  /// 64 uniform bits.
  func bits(_ stream: String, _ id: Int) -> UInt64 {
    Self.mixed(Self.mixed(Self.mixed(seed) ^ Self.hash(stream)) ^ UInt64(bitPattern: Int64(id)))
  }

  /// Uniform in 0..<1, in steps of 2⁻⁵³.
  func uniform(_ stream: String, _ id: Int) -> Double {
    Double(bits(stream, id) >> 11) * 0x1p-53
  }

  /// True with `probability`.
  func chance(_ probability: Double, _ stream: String, _ id: Int) -> Bool {
    uniform(stream, id) < probability
  }

  /// Uniform within `range`.
  func uniform(in range: ClosedRange<Double>, _ stream: String, _ id: Int) -> Double {
    range.lowerBound + (range.upperBound - range.lowerBound) * uniform(stream, id)
  }

  /// Lognormal with `median` and the standard deviation `sigma` of its logarithm.
  func lognormal(median: Double, sigma: Double, _ stream: String, _ id: Int) -> Double {
    // Box and Muller (1958); the radius' uniform number is taken from 0 exclusive, where its log would end.
    let radius = (-2 * log(1 - uniform(stream, 2 * id))).squareRoot()
    let normal = radius * cos(2 * .pi * uniform(stream, 2 * id + 1))
    return median * exp(sigma * normal)
  }

  /// `base` to the power of `exponent`.
  static func power(_ base: Double, _ exponent: Double) -> Double { pow(base, exponent) }

  /// FNV-1a of a short text, to be mixed further.
  static func hash(_ text: String) -> UInt64 {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    return hash
  }

  /// The finaliser of SplitMix64 (Steele, Lea, Flood: OOPSLA 2014) after one step of its counter.
  static func mixed(_ value: UInt64) -> UInt64 {
    var z = value &+ 0x9E37_79B9_7F4A_7C15
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}
