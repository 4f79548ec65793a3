internal import CImageCodecs

extension Image {
  /// How a picture is written.
  public enum Encoding: Sendable, Hashable {
    /// Lossless, with alpha unless every pixel is opaque.
    case png
    /// Lossy, without alpha: the picture is put on white. `quality` is 1...100 as libjpeg means it; what lies
    /// outside is moved to the nearer end.
    case jpeg(quality: Int = 85)
  }

  /// The picture as a file.
  ///
  /// - Throws: ``LoadError/Kind/unsupported`` when the format cannot hold a picture of this size (a JPEG ends
  ///   at 65 500 pixels on a side), ``LoadError/Kind/imageTooLarge`` when memory runs out.
  public func encoded(as encoding: Encoding) throws(LoadError) -> [UInt8] {
    guard let width = UInt32(exactly: width), let height = UInt32(exactly: height) else {
      throw LoadError(.unsupported, "no format holds a picture of \(self.width)x\(self.height)")
    }
    let isOpaque = encoding == .png && isOpaque
    let output = unsafe pixels.withUnsafeBufferPointer { pixels in
      guard let start = pixels.baseAddress else {
        return unsafe CodecOutput(status: .unsupported, count: 0, first_block: nil, last_block: nil)
      }
      return switch encoding {
      case .png: unsafe cellophane_png_encode(start, width, height, isOpaque)
      case .jpeg(let quality):
        unsafe cellophane_jpeg_encode(start, width, height, Int32(min(max(quality, 1), 100)))
      }
    }
    guard unsafe output.status == .ready else {
      unsafe cellophane_output_take(output, nil)
      throw Self.failure(unsafe output.status, width, height)
    }
    return unsafe [UInt8](unsafeUninitializedCapacity: output.count) { buffer, count in
      unsafe cellophane_output_take(output, buffer.baseAddress)
      count = unsafe output.count
    }
  }

  private static func failure(_ status: CodecStatus, _ width: UInt32, _ height: UInt32) -> LoadError {
    switch status {
    case .outOfMemory: .noMemoryForPixels
    default: LoadError(.unsupported, "the format does not hold a picture of \(width)x\(height)")
    }
  }
}
