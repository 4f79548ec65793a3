/// A reader of one image file format: it recognizes the format, reads the header, and opens a decoder of rows.
///
/// The limits and the memory of a decoding are decided between the header and the rows, outside of the codec.
package protocol FormatCodec: Sendable {
  /// The format.
  var format: ImageFormat { get }

  /// Compares the first bytes of a file with the signature of the format.
  func match(_ file: ByteView) -> SignatureMatch

  /// Reads the header of a file that matches. No allocation grows with the size of the image.
  ///
  /// - Throws: ``LoadError/Kind/unsupported``, ``LoadError/Kind/corrupt`` or ``LoadError/Kind/truncated``.
  /// - Complexity: linear in the number of the parts of the file. Pixels are not read.
  func header(of file: ByteView) throws(LoadError) -> ImageHeader

  /// Returns the declaration of the colors; `model` is that of the header.
  ///
  /// - Complexity: linear in the number of the parts of the file and in the size of the profile.
  func colors(of file: ByteView, _ model: ImageHeader.ColorModel) -> DeclaredColorSpace.Reading

  /// Returns the size of the color profile, in bytes; nil if it may follow `file`.
  func profileBytes(of file: ByteView) -> Int?

  /// Returns the smaller sizes at which the decoder can deliver rows.
  func scaling(_ header: ImageHeader) -> CodecScaling

  /// Returns the memory for the decoder and for rows of the source in addition to the result, in bytes.
  ///
  /// - Parameter discardsPixels: True if rows are checked and not kept.
  func workingBytes(_ header: ImageHeader, _ framing: Framing, discardsPixels: Bool) -> Int

  /// Returns true if `file` contains everything that decoding its first rows depends on.
  func reachesPixels(_ file: ByteView) -> Bool

  /// True if the orientation may follow the pixels.
  var hasLateOrientation: Bool { get }

  /// Returns a new `CodecReader`; nil if an allocation fails.
  func open() -> OpaquePointer?

  /// Decodes a complete file without the reader, if the codec has a faster way; otherwise nil.
  ///
  /// - Parameter byteCount: The bytes of the result.
  /// - Throws: ``LoadError/cancelled`` or ``LoadError/Kind/timeout``.
  func pixels(
    of bytes: [UInt8], _ header: ImageHeader, _ framing: Framing, byteCount: Int, _ watch: DecodingWatch
  ) throws(LoadError) -> [UInt8]?

  /// Returns true if the codec can tell without the reader that the file is valid.
  func isValid(_ bytes: [UInt8], _ header: ImageHeader) -> Bool

  /// Returns the frames of an animated file; nil for other files. Frames beyond ``AnimationLayout/maxFrames`` are omitted.
  ///
  /// - Complexity: linear in the number of the parts of the file. Pixels are not read.
  func animation(in file: ByteView) -> AnimationLayout?

  /// Returns a still file of the format with the pixels of `frame`, which ``animation(in:)`` returned for `file`.
  ///
  /// - Complexity: linear in the size of the frame in the file and of the parts before the pixels.
  func still(_ frame: AnimationLayout.Frame, of file: ByteView) -> [UInt8]

  /// Returns the TIFF structure of the file's EXIF data; nil without one.
  func exif(in file: ByteView) -> ByteView?

  /// Returns `file` without metadata that does not affect the display of its pixels.
  ///
  /// - Parameter exif: The TIFF structure that replaces the file's own.
  func stripped(_ file: [UInt8], exif: [UInt8]?) -> [UInt8]
}

extension FormatCodec {
  package func scaling(_ header: ImageHeader) -> CodecScaling { .none }

  package func pixels(
    of bytes: [UInt8], _ header: ImageHeader, _ framing: Framing, byteCount: Int, _ watch: DecodingWatch
  ) throws(LoadError) -> [UInt8]? { nil }

  package func isValid(_ bytes: [UInt8], _ header: ImageHeader) -> Bool { false }

  package func animation(in file: ByteView) -> AnimationLayout? { nil }

  package func still(_ frame: AnimationLayout.Frame, of file: ByteView) -> [UInt8] { [] }
}

/// The result of comparing the first bytes of a file with a signature.
package enum SignatureMatch: Sendable {
  case complete
  /// The file is shorter than the signature, and equal so far.
  case partial
  case none
}

extension ByteView {
  /// Compares the first bytes with `signature`.
  package func match(_ signature: some Collection<UInt8>) -> SignatureMatch {
    starts(with: signature) ? .complete : isProperPrefix(of: signature) ? .partial : .none
  }
}
