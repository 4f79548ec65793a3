#if canImport(CoreGraphics)
  public import Cellophane
  public import CoreGraphics
  internal import Foundation

  extension Image {
    /// A Core Graphics image with a copy of the pixels, in their color space; nil if the memory is not available.
    ///
    /// The orientation is not applied; see `orientation`.
    ///
    /// Not tested, because Core Graphics is not available on Linux.
    public var cgImage: CGImage? {
      let declared = colorProfile?.icc.flatMap { CGColorSpace(iccData: Data($0) as CFData) }
      guard let space = declared ?? CGColorSpace(name: CGColorSpace.sRGB),
        let provider = CGDataProvider(data: Data(pixels) as CFData)
      else { return nil }
      return CGImage(
        width: width, height: height, bitsPerComponent: 8, bitsPerPixel: 32, bytesPerRow: width * 4,
        space: space,
        // Red, green, blue, then straight alpha.
        bitmapInfo: CGBitmapInfo(rawValue: CGImageAlphaInfo.last.rawValue), provider: provider, decode: nil,
        shouldInterpolate: true, intent: .defaultIntent)
    }
  }
#endif
