internal import CLibDeflate

/// Inflates zlib streams that are there as a whole, over libdeflate: about twice as fast as zlib.
@safe
struct Inflater: ~Copyable {
  private let decompressor: OpaquePointer

  /// Nil when memory ran out.
  init?() {
    guard let decompressor = unsafe libdeflate_alloc_decompressor() else { return nil }
    unsafe self.decompressor = decompressor
  }

  deinit {
    unsafe libdeflate_free_decompressor(decompressor)
  }

  /// The `count` bytes of the stream that fills `range` of `bytes`, with `before` and `after` zeros around
  /// them. Nil unless the stream is flawless, ends with the range and holds that many bytes.
  borrowing func inflated(
    _ bytes: [UInt8], in range: Range<Int>, count: Int, before: Int, after: Int
  ) -> [UInt8]? {
    let all = before + count + after
    let result = unsafe [UInt8](unsafeUninitializedCapacity: all) { buffer, initializedCount in
      unsafe buffer[..<before].initialize(repeating: 0)
      unsafe buffer[(before + count)..<all].initialize(repeating: 0)
      let content = unsafe UnsafeMutableBufferPointer(rebasing: buffer[before..<before + count])
      initializedCount = unsafe fill(content, from: bytes, in: range) ? all : 0
    }
    return result.isEmpty ? nil : result
  }

  /// True when every byte of `destination` was written, and every byte of the range read.
  private borrowing func fill(
    _ destination: UnsafeMutableBufferPointer<UInt8>, from bytes: [UInt8], in range: Range<Int>
  ) -> Bool {
    unsafe bytes.withUnsafeBytes { file in
      let stream = unsafe UnsafeRawBufferPointer(rebasing: file[range])
      var (read, written) = (0, 0)
      let result = unsafe libdeflate_zlib_decompress_ex(
        decompressor, stream.baseAddress, stream.count, destination.baseAddress, destination.count, &read,
        &written)
      return result == LIBDEFLATE_SUCCESS && read == stream.count && written == destination.count
    }
  }
}

/// The checksum of PNG and zip (ISO/IEC 15948, annex D).
func crc32(_ bytes: [UInt8], in range: Range<Int>) -> UInt32 {
  unsafe bytes.withUnsafeBytes { file in
    let part = unsafe UnsafeRawBufferPointer(rebasing: file[range])
    return unsafe libdeflate_crc32(0, part.baseAddress, part.count)
  }
}
