extension ImageDecoder {
  /// Returns the form of resized and processed images on disk; nil for others, whose files are smaller, and with a processor
  /// without an identifier.
  ///
  /// Pixels are stored as they are. 256x256 of them are copied in 3 µs; a PNG has 44 % of the bytes, and takes 0.6 ms to read
  /// and 3.6 ms to write.
  public func resultForm(options: ImageOptions) -> ResultForm<Image>? {
    guard options.targetSize != nil || options.processorChain != nil, !options.discardsPixels,
      !options.allowsPartial
    else { return nil }
    var words = [
      "image 1", options.targetSize.map { "\($0)" } ?? "full", options.mode.rawValue, options.filter.rawValue,
      options.enlarges ? "enlarged" : "", options.appliesOrientation ? "" : "as stored",
    ]
    #if ColorManagement
      words.append(options.convertsToSRGB ? "srgb" : "")
    #endif
    for processor in options.processors {
      guard let identifier = processor.identifier else { return nil }
      words.append(identifier)
    }
    // Lengths, because an identifier may contain any text.
    let name = words.map { "\($0.utf8.count):\($0)" }.joined()
    return ResultForm(name: name, encode: { $0.storedBytes }) { [maximumPixels] bytes in
      Image(storedBytes: bytes, maximumPixels: maximumPixels)
    }
  }
}

/// Images as bytes: width, height, length of the ICC profile (32 bits each, little-endian), orientation (8 bits), profile,
/// pixels.
extension Image {
  private static let headerLength = 13

  /// The image as bytes; nil for an image with warnings or missing pixels, and for colors without an ICC profile.
  fileprivate var storedBytes: [UInt8]? {
    let profile = colorProfile?.icc
    guard !isPartial, warnings.isEmpty, (colorProfile == nil) == (profile == nil),
      let width = UInt32(exactly: width), let height = UInt32(exactly: height)
    else { return nil }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(Self.headerLength + (profile?.count ?? 0) + pixels.count)
    for value in [width, height, UInt32(profile?.count ?? 0)] {
      for shift in stride(from: 0, to: 32, by: 8) { bytes.append(UInt8(truncatingIfNeeded: value >> shift)) }
    }
    bytes.append(UInt8(orientation.rawValue))
    if let profile { bytes += profile }
    bytes += pixels
    return bytes
  }

  /// Reads ``storedBytes``; nil if they are damaged.
  fileprivate init?(storedBytes bytes: [UInt8], maximumPixels: Int) {
    guard bytes.count >= Self.headerLength else { return nil }
    let values = (0..<3).map { field in
      (0..<4).reduce(0) { $0 | Int(bytes[field * 4 + $1]) << (8 * $1) }
    }
    let size = PixelSize(width: values[0], height: values[1])
    let end = Self.headerLength + values[2]
    guard let area = size.area, area <= maximumPixels, let count = size.byteCount, end <= bytes.count,
      bytes.count - end == count,
      let orientation = Orientation(rawValue: .init(bytes[12]))
    else { return nil }
    var profile: ColorProfile?
    if values[2] > 0 {
      profile = ColorProfile(icc: Array(bytes[Self.headerLength..<end]))
      if profile == nil { return nil }
    }
    self.init(
      size: size, validatedPixels: Array(bytes[end...]), colorProfile: profile, orientation: orientation)
  }
}
