internal import CLibDeflate

/// Unpacks zlib streams.
enum Inflation {
  /// What `packed` unpacks to; nil when it is damaged, cut off, or gives more than `limit` bytes. No more
  /// than that is ever allocated.
  static func zlib(_ packed: [UInt8], limit: Int) -> [UInt8]? {
    guard let decompressor = unsafe libdeflate_alloc_decompressor() else { return nil }
    defer { unsafe libdeflate_free_decompressor(decompressor) }
    // The size is not known before: a first guess that most profiles fit in, then eight times as much.
    var capacity = min(limit, 64 << 10)
    while true {
      var count = 0
      var result = LIBDEFLATE_BAD_DATA
      let bytes = unsafe [UInt8](unsafeUninitializedCapacity: capacity) { buffer, initialized in
        result = unsafe packed.withUnsafeBytes { source in
          unsafe libdeflate_zlib_decompress(
            decompressor, source.baseAddress, source.count, buffer.baseAddress, buffer.count, &count)
        }
        initialized = result == LIBDEFLATE_SUCCESS ? count : 0
      }
      switch result {
      case LIBDEFLATE_SUCCESS: return bytes
      case LIBDEFLATE_INSUFFICIENT_SPACE where capacity < limit: capacity = min(limit, capacity * 8)
      default: return nil
      }
    }
  }
}
