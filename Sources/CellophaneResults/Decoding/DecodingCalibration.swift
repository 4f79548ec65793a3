package import Cellophane

/// A measurement of decoding on this machine. The decoders decode generated images of each size class to the
/// size at which a configuration shows them.
package struct DecodingCalibration: Sendable {
  /// The cost of a size class and a format.
  package struct Cost: Sendable, Hashable {
    /// The size of the measured images.
    package let size: PixelSize
    /// True for PNG, false for JPEG.
    package let isPNG: Bool
    /// The time per million pixels of the file, in ms: the median of all decodings.
    package let millisecondsPerMegapixel: Double
    /// The number of measured decodings.
    package let decodings: Int

    /// Creates a measured cost.
    package init(size: PixelSize, isPNG: Bool, millisecondsPerMegapixel: Double, decodings: Int) {
      self.size = size
      self.isPNG = isPNG
      self.millisecondsPerMegapixel = millisecondsPerMegapixel
      self.decodings = decodings
    }
  }

  /// The costs by ascending size class; PNG before JPEG in each.
  package let costs: [Cost]

  /// Creates a calibration of `costs`, by ascending size class, with PNG before JPEG in each.
  package init(costs: [Cost]) { self.costs = costs }

  /// Returns `decoding` with the measured costs.
  package func applied(
    to decoding: SimulationConfiguration.Decoding
  ) -> SimulationConfiguration.Decoding {
    var decoding = decoding
    decoding.png = costs.filter(\.isPNG).map(\.millisecondsPerMegapixel)
    decoding.jpeg = costs.filter { !$0.isPNG }.map(\.millisecondsPerMegapixel)
    return decoding
  }

  /// Returns a scenario with only these costs, and a final line break.
  package func json() throws -> [UInt8] {
    struct Fragment: Encodable {
      let decoding: [String: [Double]]
    }
    // Rounded to 1 µs per million pixels, which is below the resolution of clocks.
    func rounded(_ costs: [Double]) -> [Double] { costs.map { ($0 * 1_000).rounded() / 1_000 } }
    let measured = applied(to: SimulationConfiguration.Decoding())
    let fragment = Fragment(decoding: [
      "png_ms_per_mpx": rounded(measured.png), "jpeg_ms_per_mpx": rounded(measured.jpeg),
    ])
    return try JSONText.lines(fragment)
  }
}
