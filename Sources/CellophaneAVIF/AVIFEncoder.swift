#if AVIF
  internal import CAVIFCodec
  internal import CellophaneCore
  public import CellophaneImages

  /// The encoder of AVIF: libavif with libaom.
  struct AVIFEncoder: FormatEncoder {
    /// 0...100.
    let quality: Int

    var format: ImageFormat { .avif }

    func encode(
      _ image: Image, _ metadata: ImageMetadata, to write: (Span<UInt8>) throws(LoadError) -> Void
    ) throws(LoadError) {
      let picture = try CodecPicture(image)
      let (profile, exif) = (metadata.profile ?? [], metadata.exif ?? [])
      let (turns, mirror) = image.orientation.transforms
      var file = unsafe CodecAVIFFile()
      let status = unsafe image.pixels.withUnsafeBufferPointer { pixels in
        unsafe profile.withUnsafeBufferPointer { profile in
          unsafe exif.withUnsafeBufferPointer { exif in
            guard let start = pixels.baseAddress else { return CodecStatus.unsupported }
            let settings = unsafe CodecAVIFSettings(
              quality: Int32(quality), opaque: image.isOpaque, turns: turns, mirror: mirror,
              profile: CodecAVIFBytes(bytes: profile.baseAddress, count: profile.count),
              exif: CodecAVIFBytes(bytes: exif.baseAddress, count: exif.count))
            return unsafe cellophane_avif_encode(
              start, picture, settings, &file)
          }
        }
      }
      defer { unsafe cellophane_avif_release(file) }
      switch status {
      case .ready: break
      case .outOfMemory: throw .noMemoryForPixels
      case .unsupported:
        throw LoadError(
          .unsupported, "there is no libavif with an encoder of AV1; install libavif with libaom")
      default: throw .cannotHold(image)
      }
      try write(unsafe UnsafeBufferPointer(start: file.bytes, count: file.count).span)
    }
  }

  extension Image.Encoding {
    /// Lossy AVIF, with exact alpha unless every pixel is opaque.
    ///
    /// Encoding takes 0.15 s for each megapixel, and 17 bytes of memory for each pixel. It cannot be cancelled.
    ///
    /// - Parameter quality: The quality on the scale of libavif. Values outside of 0...100 are clamped.
    public static func avif(quality: Int = 60) -> Image.Encoding {
      Image.Encoding(AVIFEncoder(quality: min(max(quality, 0), 100)))
    }
  }
#endif
