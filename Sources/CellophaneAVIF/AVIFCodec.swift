#if AVIF
  internal import CAVIFCodec
  internal import CellophaneCore
  public import CellophaneImages

  /// The codec of AVIF: libavif with dav1d. It decodes the first frame of a sequence.
  struct AVIFCodec: FormatCodec {
    var format: ImageFormat { .avif }

    /// Compares the brands of the file type box (ISO/IEC 14496-12, section 4.3).
    func match(_ file: ByteView) -> SignatureMatch {
      // Shorter files could be anything: the size of the box precedes its type.
      guard let size = file.number32(at: 0), file.holds("ftyp".utf8, at: 4) else { return .none }
      // The major brand, its version, and the compatible brands. Files have about ten.
      let end = min(size, 256)
      for offset in [8] + Array(stride(from: 16, to: end, by: 4)) {
        guard let brand = file.number32(at: offset) else { return .partial }
        if brand == 0x6176_6966 || brand == 0x6176_6973 { return .complete }
      }
      return .none
    }

    func header(of file: ByteView) throws(LoadError) -> ImageHeader {
      let header = try container(of: file)
      let size = PixelSize(width: Int(header.width), height: Int(header.height))
      let (isDeep, hasAlpha) = (header.depth > 8, header.has_alpha)
      let model: ImageHeader.ColorModel =
        header.is_gray ? (hasAlpha ? .grayAlpha : .gray) : (hasAlpha ? .rgba : .rgb)
      // Up to three planes and alpha, which dav1d and libavif may hold at once, and the pixels.
      let planes = (header.is_gray ? 1 : 3) + (hasAlpha ? 1 : 0)
      let (area, isLarge) = size.width.multipliedReportingOverflow(by: size.height)
      guard size.width > 0, size.height > 0, !isLarge, area <= 1 << 32 else {
        throw LoadError(
          .corrupt, "the AVIF header has an invalid size: \(size.width)x\(size.height)")
      }
      return ImageHeader(
        format: .avif, size: size, orientation: Orientation(turns: header.turns, mirror: header.mirror),
        bitDepth: Int(header.depth), colorModel: model, isProgressive: false,
        bufferBytes: area * (planes * (isDeep ? 4 : 2) + 4), isAnimated: header.frames > 1)
    }

    /// Returns true if all boxes are complete, and one has the properties of the image (ISO/IEC 14496-12, section 4.2).
    private func isComplete(_ file: ByteView) -> Bool {
      // Of a sequence, moov has them; otherwise meta.
      let properties = file.number32(at: 8) == 0x6176_6973 ? 0x6D6F_6F76 : 0x6D65_7461
      var offset = 0
      var hasProperties = false
      while let size = file.number32(at: offset), let type = file.number32(at: offset + 4) {
        // 0: to the end of the file. 1: a size of 64 bits follows.
        let length = size == 1 ? file.number32(at: offset + 12) ?? 0 : size == 0 ? file.count - offset : size
        guard length >= 8, offset + length <= file.count else { return false }
        if type == properties { hasProperties = true }
        offset += length
      }
      return hasProperties
    }

    private func container(of file: ByteView) throws(LoadError) -> AVIFHeader {
      var header = AVIFHeader()
      if let library = unsafe cellophane_avif_missing_library() {
        throw LoadError(
          .unsupported,
          "\(unsafe String(cString: library)), which decodes AVIF, cannot be loaded; install libavif")
      }
      let bytes = file.copy
      let status = unsafe bytes.withUnsafeBufferPointer { bytes in
        guard let start = bytes.baseAddress else { return CodecStatus.truncated }
        return unsafe cellophane_avif_header(start, bytes.count, &header)
      }
      switch status {
      case .ready: return header
      case .outOfMemory: throw LoadError(.imageTooLarge, "there is no memory for the header of the AVIF")
      case .unsupported: throw LoadError(.unsupported, "the AVIF has a part that libavif does not support")
      case .corrupt where isComplete(file): throw LoadError(.corrupt, "the container of the AVIF is damaged")
      // libavif reports most ends of a file as damage.
      default: throw LoadError(.truncated, "the AVIF is incomplete, after \(file.count) bytes; load it again")
      }
    }

    func colors(of file: ByteView, _ model: ImageHeader.ColorModel) -> DeclaredColorSpace.Reading {
      guard let header = try? container(of: file) else {
        return DeclaredColorSpace.Reading(profile: nil, model)
      }
      guard header.profile_count > 0 else {
        return DeclaredColorSpace.Reading(codePoints: [header.primaries, header.transfer, 0, 1])
      }
      return DeclaredColorSpace.Reading(profile: profile(of: file, count: Int(header.profile_count)), model)
    }

    private func profile(of file: ByteView, count: Int) -> ByteView? {
      guard count <= DeclaredColorSpace.largestProfile else { return nil }
      var profile = [UInt8](repeating: 0, count: count)
      let bytes = file.copy
      let isRead = unsafe bytes.withUnsafeBufferPointer { bytes in
        unsafe profile.withUnsafeMutableBufferPointer { profile in
          guard let start = bytes.baseAddress, let target = profile.baseAddress else { return false }
          return unsafe cellophane_avif_profile(start, bytes.count, target, profile.count)
        }
      }
      return isRead ? ByteView(profile) : nil
    }

    func profileBytes(of file: ByteView) -> Int? { (try? container(of: file)).map { Int($0.profile_count) } }

    func workingBytes(_ header: ImageHeader, _ framing: Framing, discardsPixels: Bool) -> Int {
      let rows =
        framing.isIdentity && !discardsPixels ? 0 : framing.decoded.width * 4 * ImageAssembler.stripHeight
      return rows + header.bufferBytes + 1 << 20
    }

    func reachesPixels(_ file: ByteView) -> Bool { true }

    var hasLateOrientation: Bool { false }

    /// Decodes an image that is neither resized nor turned into its final memory. The reader reports the errors.
    func pixels(
      of bytes: [UInt8], _ header: ImageHeader, _ framing: Framing, byteCount: Int, _ watch: DecodingWatch
    ) throws(LoadError) -> [UInt8]? {
      guard framing.isIdentity else { return nil }
      try watch.check()
      let pixels = unsafe [UInt8](unsafeUninitializedCapacity: byteCount) { target, count in
        let status = unsafe bytes.withUnsafeBufferPointer { bytes in
          guard let start = bytes.baseAddress, let target = target.baseAddress else {
            return CodecStatus.truncated
          }
          return unsafe cellophane_avif_pixels(start, bytes.count, target, byteCount)
        }
        count = status == .ready ? byteCount : 0
      }
      return pixels.isEmpty ? nil : pixels
    }

    func open() -> OpaquePointer? { unsafe cellophane_avif_reader() }

    /// The container has the orientation, and libavif ignores that of EXIF.
    func exif(in file: ByteView) -> ByteView? { nil }

    /// Returns the file with zeros instead of EXIF and XMP.
    func stripped(_ file: [UInt8], exif: [UInt8]?) -> [UInt8] {
      var stripped = file
      unsafe stripped.withUnsafeMutableBufferPointer { bytes in
        if let start = bytes.baseAddress { unsafe cellophane_avif_clear_metadata(start, bytes.count) }
      }
      return stripped
    }
  }

  extension ImageFormat {
    /// AVIF, still images and sequences.
    public static let avif = ImageFormat("avif", name: "AVIF", mediaType: "image/avif", fileExtension: "avif")
  }

  extension PictureCodec {
    /// AVIF by libavif.
    public static let avif = PictureCodec(AVIFCodec())
  }
#endif
