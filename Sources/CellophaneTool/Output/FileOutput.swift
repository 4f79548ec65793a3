internal import Cellophane

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif
#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// Files that the tool reads and writes, with errors a person can act on.
enum FileOutput {
  /// Writes `bytes` to `path`; `-` is standard output.
  ///
  /// A file is written under another name first, so that nobody sees half of it; it keeps its mode, and a link
  /// to it stays. What is there and no file, such as a device or pipe, is written to as it is.
  static func write(_ bytes: [UInt8], to path: String) throws(LoadError) {
    if path == "-" { return try Output.bytes(bytes) }
    let error =
      switch Platform.place(at: path) {
      case .file(let target, let mode): replace(target, mode: mode, with: bytes)
      case .other: write(bytes, to: path, O_WRONLY | O_CREAT)
      }
    if error != 0 { throw LoadError(.io, "cannot write \(path): \(Platform.reason(error))") }
  }

  /// How long a pipe may stay silent, in seconds. 8: as long as decoding a picture may take.
  private static let longestSilence: Int32 = 8

  /// Reads the file or pipe at `path` whole, up to `limit` bytes.
  static func read(_ path: String, limit: Int) throws(LoadError) -> [UInt8] {
    let descriptor = try Platform.openForReading(path, waits: false)
    defer { Platform.close(descriptor) }
    var bytes: [UInt8] = []
    // Of a pipe or device nobody knows.
    let size = Platform.size(ofFile: descriptor) ?? 0
    guard size <= limit else { throw tooLarge(path, limit) }
    bytes.reserveCapacity(size)
    while bytes.count <= limit {
      guard Platform.hasInput(descriptor, within: longestSilence) else {
        throw LoadError(.timeout, "\(path) gave nothing for \(longestSilence) s; is anything writing to it?")
      }
      // 1 MB: few calls for a large file, and little for a small one.
      guard let piece = Platform.read(descriptor, atMost: 1 << 20) else {
        throw LoadError(.io, "cannot read \(path): \(Platform.reason(errno))")
      }
      if piece.isEmpty { return bytes }
      bytes += piece
    }
    throw tooLarge(path, limit)
  }

  /// Makes `path` a directory, if it is not one.
  static func makeDirectory(_ path: String) throws(LoadError) {
    do {
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    } catch {
      throw LoadError(.io, "cannot make the directory \(path): \(reason(error))")
    }
  }

  private static func tooLarge(_ path: String, _ limit: Int) -> LoadError {
    LoadError(.bodyTooLarge, "\(path) is larger than the \(limit) bytes that are read at most")
  }

  /// Puts a new file with `bytes` where `path` is; returns 0, or the error that stopped it.
  private static func replace(_ path: String, mode: mode_t?, with bytes: [UInt8]) -> Int32 {
    let folder = path.lastIndex(of: "/").map { path[...$0] } ?? ""
    let temporary = folder + ".cellophane-" + String(UInt64.random(in: .min ... .max), radix: 16)
    var error = write(bytes, to: temporary, O_WRONLY | O_CREAT | O_EXCL)
    if error == 0, let mode, unsafe chmod(temporary, mode) != 0 { error = errno }
    if error == 0, unsafe rename(temporary, path) != 0 { error = errno }
    if error != 0, error != EEXIST { unsafe unlink(temporary) }
    return error
  }

  /// Returns 0, or the error that stopped it.
  private static func write(_ bytes: [UInt8], to path: String, _ flags: Int32) -> Int32 {
    // What the user's mask leaves of 0666, as for every other tool.
    let descriptor = unsafe open(path, flags | O_CLOEXEC, 0o666)
    guard descriptor >= 0 else { return errno }
    let error = Output.write(bytes, to: descriptor)
    return Platform.close(descriptor) == 0 ? error : error == 0 ? errno : error
  }

  private static func reason(_ error: any Error) -> String {
    guard let system = (error as? CocoaError)?.underlying as? POSIXError else { return "\(error)" }
    return Platform.reason(system.code.rawValue)
  }
}
