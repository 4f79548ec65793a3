#if canImport(CoreGraphics)
  public import Cellophane
  public import CoreGraphics
  internal import Foundation

  extension Image {
    /// The same pixels for what draws on Apple's systems; nil when there is no memory for them. One copy.
    ///
    /// Not tested: no other system has it.
    public var cgImage: CGImage? {
      guard let space = CGColorSpace(name: CGColorSpace.sRGB),
        let provider = CGDataProvider(data: Data(pixels) as CFData)
      else { return nil }
      return CGImage(
        width: width, height: height, bitsPerComponent: 8, bitsPerPixel: 32, bytesPerRow: width * 4,
        space: space,
        // Red, green, blue and then alpha, by which they are not multiplied.
        bitmapInfo: CGBitmapInfo(rawValue: CGImageAlphaInfo.last.rawValue), provider: provider, decode: nil,
        shouldInterpolate: true, intent: .defaultIntent)
    }
  }
#endif
