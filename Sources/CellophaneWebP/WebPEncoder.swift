#if WebP
  internal import CWebPCodec
  internal import CellophaneCore
  public import CellophaneImages

  /// The encoder of WebP: libwebp.
  struct WebPEncoder: FormatEncoder {
    /// The quality of libwebp, 0...100; nil for lossless.
    let quality: Int?

    var format: ImageFormat { .webP }

    func encode(
      _ image: Image, _ metadata: ImageMetadata, to write: (Span<UInt8>) throws(LoadError) -> Void
    ) throws(LoadError) {
      let picture = try CodecPicture(image)
      let isOpaque = image.isOpaque
      let settings = CodecWebPSettings(
        quality: Int32(quality ?? 0), lossless: quality == nil, opaque: isOpaque)
      var file = unsafe CodecWebPFile()
      let status = unsafe image.pixels.withUnsafeBufferPointer { pixels in
        guard let start = pixels.baseAddress else { return CodecStatus.unsupported }
        return unsafe cellophane_webp_encode(
          start, picture, settings, { !Task.isCancelled }, &file)
      }
      defer { unsafe cellophane_webp_release(file) }
      switch status {
      case .ready: break
      case .more: throw .cancelled
      case .outOfMemory: throw .noMemoryForPixels
      default: throw .cannotHold(image)
      }
      let bytes = unsafe UnsafeBufferPointer(start: file.bytes, count: file.count)
      guard metadata.profile != nil || metadata.exif != nil else { return try write(unsafe bytes.span) }
      let extended = WebPContainer.file(
        pixels: unsafe Array(bytes), PixelSize(width: image.width, height: image.height), hasAlpha: !isOpaque,
        profile: metadata.profile, exif: metadata.exif)
      try write(extended.span)
    }
  }

  extension Image.Encoding {
    /// Lossy WebP, with alpha unless every pixel is opaque.
    ///
    /// Encoding ends with ``LoadError/cancelled`` when its task is cancelled. Throws ``LoadError/Kind/unsupported`` for
    /// sides of more than 16 383 pixels.
    ///
    /// - Parameter quality: The quality of libwebp. Values outside of 0...100 are clamped.
    public static func webP(quality: Int = 80) -> Image.Encoding {
      Image.Encoding(WebPEncoder(quality: min(max(quality, 0), 100)))
    }

    /// Lossless WebP, with alpha unless every pixel is opaque: a quarter smaller than PNG, and slower.
    public static let losslessWebP = Image.Encoding(WebPEncoder(quality: nil))
  }
#endif
