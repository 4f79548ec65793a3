/// An image format whose files on the web have published sizes.
///
/// The bits per pixel are those of the HTTP Archive of 2024, desktop, by pixels and format: Guyon, "Bits per pixel of Internet
/// images", wiki of webmproject/codec-compare. The median is published. The sigma follows from the 10th and the 90th
/// percentile, which are 2.563 sigmas apart. Both contain the differences between sites, so the images of one app vary less.
package enum WebFormat: String, Sendable, CaseIterable {
  case jpeg, webp, avif

  /// Returns the bits per pixel of files with `pixels` pixels. Small files have more, because their content is denser and
  /// their headers do not shrink.
  func bits(ofPixels pixels: Int) -> Lognormal {
    classes[pixels <= 100_000 ? 0 : pixels <= 500_000 ? 1 : 2]
  }

  /// The bits per pixel of files with up to 0.1 megapixels, up to 0.5 (published for 0.2 to 0.3), and with more (published
  /// for 0.7 to 0.8).
  private var classes: [Lognormal] {
    switch self {
    case .jpeg: Self.classes((3.07, 0.94), (1.95, 0.91), (1.56, 0.90))
    case .webp: Self.classes((1.69, 1.02), (0.85, 0.95), (0.77, 0.92))
    case .avif: Self.classes((1.63, 0.79), (0.65, 0.82), (0.46, 1.03))
    }
  }

  private static func classes(_ pairs: (median: Double, sigma: Double)...) -> [Lognormal] {
    pairs.map { Lognormal(median: $0.median, sigma: $0.sigma) }
  }
}
