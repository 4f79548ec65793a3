#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// A streaming decoder of Zstandard (RFC 8878) with one or more frames.
///
/// It uses the functions of libzstd in the process, which libcurl loads. Headers of libzstd would be one more package for
/// every build. These functions have not changed since libzstd 1.0.
@safe final class ZstdDecoder {
  /// ZSTD_inBuffer and ZSTD_outBuffer.
  @unsafe private struct Buffer {
    var start: UnsafeMutableRawPointer?
    var size: Int
    var position = 0
  }

  @unsafe private struct Library {
    typealias Create = @convention(c) () -> OpaquePointer?
    typealias Free = @convention(c) (OpaquePointer?) -> Int
    typealias Decompress =
      @convention(c) (OpaquePointer, UnsafeMutableRawPointer, UnsafeMutableRawPointer) -> Int
    typealias IsError = @convention(c) (Int) -> UInt32

    let create: Create
    let free: Free
    let decompress: Decompress
    let isError: IsError

    init?() {
      #if canImport(Glibc)
        let name = "libzstd.so.1"
      #else
        let name = "libzstd.1.dylib"
      #endif
      // Never closed: decoders use its functions.
      guard let library = unsafe dlopen(name, RTLD_NOW) else { return nil }
      guard let create = unsafe dlsym(library, "ZSTD_createDStream"),
        let free = unsafe dlsym(library, "ZSTD_freeDStream"),
        let decompress = unsafe dlsym(library, "ZSTD_decompressStream"),
        let isError = unsafe dlsym(library, "ZSTD_isError")
      else { return nil }
      unsafe self.create = unsafeBitCast(create, to: Create.self)
      unsafe self.free = unsafeBitCast(free, to: Free.self)
      unsafe self.decompress = unsafeBitCast(decompress, to: Decompress.self)
      unsafe self.isError = unsafeBitCast(isError, to: IsError.self)
    }
  }

  /// True if the data may end here: after a frame with a valid checksum.
  private(set) var isComplete = true
  private let library: Library
  private let stream: OpaquePointer
  private var output = [UInt8](repeating: 0, count: 64 << 10)

  /// Creates a decoder; nil without libzstd or memory.
  init?() {
    guard let library = unsafe Library(), let stream = unsafe library.create() else { return nil }
    unsafe (self.library, self.stream) = (library, stream)
  }

  deinit { _ = unsafe library.free(stream) }

  /// Appends the decompressed bytes of `bytes` to `result`. Returns false if they are damaged.
  func feed(_ bytes: [UInt8], to result: inout [UInt8]) -> Bool {
    var bytes = bytes
    let count = bytes.count
    return unsafe bytes.withUnsafeMutableBytes { input in
      var source = unsafe Buffer(start: input.baseAddress, size: count)
      while true {
        let (rest, written) = unsafe output.withUnsafeMutableBytes { space in
          var target = unsafe Buffer(start: space.baseAddress, size: space.count)
          let rest = unsafe library.decompress(stream, &target, &source)
          return unsafe (rest, target.position)
        }
        guard unsafe library.isError(rest) == 0 else { return false }
        result += output[..<written]
        isComplete = rest == 0
        // With space left in the output, or at the end of a frame, no more output is left.
        if unsafe source.position == source.size, isComplete || written < output.count { return true }
      }
    }
  }
}
