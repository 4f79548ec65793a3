/// A placeholder for an image in 17 to 25 bytes: its colors, its alpha and its approximate aspect ratio.
///
/// A server sends the placeholder with the address of the image, usually as base64, and a client shows it until the
/// image is loaded. The format is that of Evan Wallace's reference implementation, github.com/evanw/thumbhash.
///
/// The colors are sRGB. The three channels of a ThumbHash are lightness, yellow minus blue, and red minus green. Each
/// is stored as its mean and the coefficients of a few low frequencies of a cosine transform.
public struct ThumbHash: Hashable, Sendable {
  /// The bytes of the placeholder. The first five or six are the header.
  public let bytes: [UInt8]

  /// Creates a placeholder from its bytes.
  ///
  /// Any header with an aspect ratio is accepted, also one that no encoder writes. It can imply up to 29 bytes.
  ///
  /// - Throws: ``LoadError/Kind/corrupt`` if the number of bytes is not the one that the header implies, or if the
  ///   header has no aspect ratio.
  public init(_ bytes: [UInt8]) throws(LoadError) {
    guard bytes.count >= Self.minimumHeaderBytes else {
      throw LoadError(
        .corrupt,
        "a ThumbHash of \(bytes.count) bytes has no complete header of \(Self.minimumHeaderBytes) bytes; check "
          + "that the server sends the complete value")
    }
    self.init(unchecked: bytes)
    guard shorterTerms > 0 else {
      throw LoadError(
        .corrupt, "the header of the ThumbHash has no aspect ratio; check that the value is a ThumbHash")
    }
    guard bytes.count == impliedByteCount else {
      throw LoadError(
        .corrupt,
        "the ThumbHash has \(bytes.count) bytes, but its header implies \(impliedByteCount); check that the "
          + "server sends the complete value and nothing else")
    }
  }

  /// Creates a placeholder from bytes that the encoder wrote, or that ``init(_:)`` checks next.
  init(unchecked bytes: [UInt8]) { self.bytes = bytes }

  /// The approximate quotient of width and height, from 1:7 to 7:1.
  public var aspectRatio: Double {
    let longer = Double(longerTerms)
    return isLandscape ? longer / Double(shorterTerms) : Double(shorterTerms) / longer
  }

  /// The mean color of the image, weighted by alpha, with the mean alpha.
  ///
  /// The color has 18 bits and alpha 4 bits, so both are approximate.
  public var averageColor: Image.Pixel {
    let pixel = Self.pixel(meanColor)
    return Image.Pixel(red: pixel.x, green: pixel.y, blue: pixel.z, alpha: pixel.w)
  }
}

extension ThumbHash: CustomStringConvertible {
  /// The placeholder as base64.
  public var description: String { base64 }
}
