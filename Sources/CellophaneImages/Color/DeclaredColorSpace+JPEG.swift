extension DeclaredColorSpace {
  /// Reads the declaration of a JPEG. The ICC profile has precedence over EXIF, which defines only two
  /// spaces.
  static func jpeg(_ file: ByteView, _ model: ImageHeader.ColorModel) -> Reading {
    var parts = ProfileParts()
    var exif: ByteView?
    var segments = JPEGSegments(file)
    while let (marker, segment) = try? segments.next(), marker != 0xDA {
      if marker == 0xE2 { parts.add(segment) }
      if marker == 0xE1, exif == nil { exif = segment.exif }
    }
    if let declared = parts.joined.flatMap({ embedded($0, model) }) { return Reading(declared) }
    let rgb = model == .cmyk ? nil : exif.flatMap(RGBSpace.init(exif:))
    return Reading(
      rgb.map { DeclaredColorSpace(definition: .rgb($0), source: .exif) }, ignoresProfile: parts.isPresent)
  }

  /// Returns the size of all parts of the profile; nil if a part may follow `file`.
  static func jpegProfileBytes(_ file: ByteView) -> Int? {
    var size = 0
    var segments = JPEGSegments(file)
    while let (marker, segment) = try? segments.next() {
      if marker == 0xDA { return size }
      if marker == 0xE2, segment.starts(with: "ICC_PROFILE\0".utf8) { size += segment.count }
    }
    return nil
  }

  /// The parts of a profile that is too long for one segment (ICC.1:2022, B.4).
  ///
  /// Every part has its number and the number of parts. The order of the segments is arbitrary.
  private struct ProfileParts {
    private var parts: [UInt8: ByteView] = [:]
    private var count: UInt8?
    private var areConsistent = true
    /// True if there is a part, valid or not.
    private(set) var isPresent = false

    mutating func add(_ segment: ByteView) {
      guard segment.starts(with: "ICC_PROFILE\0".utf8) else { return }
      isPresent = true
      guard let number = segment.byte(at: 12), let partCount = segment.byte(at: 13),
        let part = segment.part(from: 14, length: segment.count - 14)
      else { return areConsistent = false }
      if count == nil { count = partCount }
      if partCount != count || number == 0 || number > partCount || parts[number] != nil {
        areConsistent = false
      }
      parts[number] = part
    }

    /// The complete profile; nil if a part is missing, duplicate or inconsistent.
    var joined: [UInt8]? {
      guard areConsistent, let count, parts.count == count else { return nil }
      let ordered = (1...count).compactMap { parts[$0] }
      guard ordered.reduce(0, { $0 + $1.count }) <= largestProfile else { return nil }
      return ordered.flatMap(\.copy)
    }
  }
}
