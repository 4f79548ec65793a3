internal import CLibDeflate

/// Compresses `bytes` as a zlib stream. Returns nil if an allocation fails.
func deflated(_ bytes: [UInt8]) -> [UInt8]? {
  // 6: the default level of zlib.
  guard let compressor = unsafe libdeflate_alloc_compressor(6) else { return nil }
  defer { unsafe libdeflate_free_compressor(compressor) }
  let bound = unsafe libdeflate_zlib_compress_bound(compressor, bytes.count)
  let stream = unsafe [UInt8](unsafeUninitializedCapacity: bound) { buffer, count in
    count = unsafe bytes.withUnsafeBytes { content in
      unsafe libdeflate_zlib_compress(
        compressor, content.baseAddress, content.count, buffer.baseAddress, bound)
    }
  }
  return stream.isEmpty ? nil : stream
}
