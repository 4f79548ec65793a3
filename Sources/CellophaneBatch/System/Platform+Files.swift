internal import Cellophane

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// Files: opening, reading and writing.
extension Platform {
  /// Opens or creates the file at `path` with mode 0666 less the user's mask, as other tools do; returns a negative number
  /// if that fails.
  static func openForWriting(_ path: String, _ flags: Int32) -> Int32 {
    unsafe open(path, flags | O_CLOEXEC, 0o666)
  }

  /// Returns true if there is data or an end of file within `seconds`.
  static func hasInput(_ descriptor: Int32, within seconds: Int32) -> Bool {
    wait(for: descriptor, Int16(POLLIN), milliseconds: seconds * 1_000)
  }

  /// Reads up to `count` bytes of an open file from `offset`; nil if that fails.
  static func read(_ descriptor: Int32, atMost count: Int, at offset: Int) -> [UInt8]? {
    var result = 0
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      result = unsafe pread(descriptor, buffer.baseAddress, count, off_t(offset))
      filled = max(0, result)
    }
    return result < 0 ? nil : bytes
  }
}
