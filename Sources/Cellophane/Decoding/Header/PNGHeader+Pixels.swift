extension PNGHeader {
  /// True when `file` goes on to the first chunk of pixels, so that nothing can stand before them any more.
  static func reachesPixels(_ file: ByteView) -> Bool {
    var offset = signature.count
    while let length = file.number32(at: offset), let type = file.number32(at: offset + 4) {
      if type == 0x4944_4154 || type == 0x4945_4E44 { return true }  // IDAT, IEND
      offset += 12 + length
    }
    return false
  }
}
