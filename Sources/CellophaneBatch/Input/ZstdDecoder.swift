internal import CZstd

/// A streaming decoder of Zstandard (RFC 8878) with one or more frames.
@safe final class ZstdDecoder {
  /// True if the data may end here: after a frame with a valid checksum.
  private(set) var isComplete = true
  /// True if the data needs a larger window than 128 MB, the limit of the library and of the program `zstd`.
  private(set) var needsMemory = false
  private let stream: OpaquePointer
  private var output = [UInt8](repeating: 0, count: ZSTD_DStreamOutSize())

  /// Creates a decoder; nil without memory.
  init?() {
    guard let stream = unsafe ZSTD_createDStream() else { return nil }
    unsafe self.stream = stream
  }

  deinit { unsafe ZSTD_freeDStream(stream) }

  /// Appends the decompressed bytes of `bytes` to `result`. Returns false if they are damaged.
  func feed(_ bytes: [UInt8], to result: inout [UInt8]) -> Bool {
    unsafe bytes.withUnsafeBytes { input in
      var source = unsafe ZSTD_inBuffer(src: input.baseAddress, size: input.count, pos: 0)
      while true {
        let (rest, written) = unsafe output.withUnsafeMutableBytes { space in
          var target = unsafe ZSTD_outBuffer(dst: space.baseAddress, size: space.count, pos: 0)
          let rest = unsafe ZSTD_decompressStream(stream, &target, &source)
          return unsafe (rest, target.pos)
        }
        guard ZSTD_isError(rest) == 0 else {
          needsMemory = ZSTD_getErrorCode(rest) == ZSTD_error_frameParameter_windowTooLarge
          return false
        }
        result += output[..<written]
        isComplete = rest == 0
        // With space left in the output, or at the end of a frame, no more output is left.
        if unsafe source.pos == source.size, isComplete || written < output.count { return true }
      }
    }
  }
}
