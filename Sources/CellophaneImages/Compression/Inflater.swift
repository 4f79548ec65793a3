internal import CLibDeflate

/// A decompressor of complete zlib streams. It uses libdeflate, which is about twice as fast as zlib.
@safe
struct Inflater: ~Copyable {
  private let decompressor: OpaquePointer

  /// Returns nil if an allocation fails.
  init?() {
    guard let decompressor = unsafe libdeflate_alloc_decompressor() else { return nil }
    unsafe self.decompressor = decompressor
  }

  deinit {
    unsafe libdeflate_free_decompressor(decompressor)
  }

  /// Decompresses the zlib stream in `range` of `bytes`.
  ///
  /// The result is the content, preceded by `before` zeros and followed by `after` zeros. It is nil unless
  /// the stream is valid, ends at the end of the range, and its content has exactly `count` bytes.
  borrowing func inflated(
    _ bytes: [UInt8], in range: Range<Int>, count: Int, before: Int, after: Int
  ) -> [UInt8]? {
    let all = before + count + after
    let result = unsafe [UInt8](unsafeUninitializedCapacity: all) { buffer, initializedCount in
      unsafe buffer[..<before].initialize(repeating: 0)
      unsafe buffer[(before + count)..<all].initialize(repeating: 0)
      let content = unsafe UnsafeMutableBufferPointer(rebasing: buffer[before..<before + count])
      let outcome = unsafe decompress(bytes, in: range, to: content)
      let isExact =
        outcome.result == LIBDEFLATE_SUCCESS && outcome.read == range.count && outcome.written == count
      initializedCount = isExact ? all : 0
    }
    return result.isEmpty ? nil : result
  }

  /// Decompresses the zlib stream at the start of `bytes`, whose content has an unknown length.
  ///
  /// Returns nil if the stream is damaged or truncated, or its content exceeds `limit` bytes. No allocation
  /// exceeds `limit`.
  borrowing func inflated(_ bytes: [UInt8], limit: Int) -> [UInt8]? {
    // 64 KB is enough for most profiles. Each further attempt uses eight times as much.
    var capacity = min(limit, 64 << 10)
    while true {
      var result = LIBDEFLATE_BAD_DATA
      let content = unsafe [UInt8](unsafeUninitializedCapacity: capacity) { buffer, initializedCount in
        let destination = unsafe UnsafeMutableBufferPointer(rebasing: buffer[..<capacity])
        let outcome = unsafe decompress(bytes, in: bytes.indices, to: destination)
        result = outcome.result
        initializedCount = result == LIBDEFLATE_SUCCESS ? outcome.written : 0
      }
      switch result {
      case LIBDEFLATE_SUCCESS: return content.withoutSpareCapacity
      case LIBDEFLATE_INSUFFICIENT_SPACE where capacity < limit: capacity = min(limit, capacity * 8)
      default: return nil
      }
    }
  }

  /// Decompresses a stream into `destination`. Returns the result and the numbers of bytes read and written.
  private borrowing func decompress(
    _ bytes: [UInt8], in range: Range<Int>, to destination: UnsafeMutableBufferPointer<UInt8>
  ) -> (result: libdeflate_result, read: Int, written: Int) {
    unsafe bytes.withUnsafeBytes { file in
      let stream = unsafe UnsafeRawBufferPointer(rebasing: file[range])
      var (read, written) = (0, 0)
      let result = unsafe libdeflate_zlib_decompress_ex(
        decompressor, stream.baseAddress, stream.count, destination.baseAddress, destination.count, &read,
        &written)
      return (result, read, written)
    }
  }
}

extension [UInt8] {
  /// A copy in memory of its size. An image may keep the bytes for long.
  fileprivate var withoutSpareCapacity: [UInt8] {
    var copy: [UInt8] = []
    copy.reserveCapacity(count)
    copy.append(contentsOf: self)
    return copy
  }
}

/// Returns the CRC-32 of a range of `bytes`, the checksum of PNG chunks (ISO/IEC 15948, annex D).
func crc32(_ bytes: [UInt8], in range: Range<Int>) -> UInt32 {
  unsafe bytes.withUnsafeBytes { file in
    let part = unsafe UnsafeRawBufferPointer(rebasing: file[range])
    return unsafe libdeflate_crc32(0, part.baseAddress, part.count)
  }
}
