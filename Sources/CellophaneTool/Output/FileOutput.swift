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
  /// Takes the next bytes of a file.
  typealias Writer = (Span<UInt8>) throws(LoadError) -> Void

  /// Writes `bytes` to `path`; `-` is standard output.
  ///
  /// A file is written under another name first, so that nobody sees half of it; it keeps its mode, and a link
  /// to it stays. What is there and no file, such as a device or pipe, is written to as it is.
  static func write(_ bytes: [UInt8], to path: String) throws(LoadError) {
    try write(to: path) { write throws(LoadError) in try write(bytes.span) }
  }

  /// Writes what `produce` hands over, piece by piece; nothing, if it throws.
  static func write(to path: String, _ produce: (Writer) throws(LoadError) -> Void) throws(LoadError) {
    if path == "-" { return try produce { bytes throws(LoadError) in try Output.bytes(bytes) } }
    switch Platform.place(at: path) {
    case .file(let target, let mode):
      let folder = target.lastIndex(of: "/").map { target[...$0] } ?? ""
      let temporary = folder + ".cellophane-" + String(UInt64.random(in: .min ... .max), radix: 16)
      try replace(target, mode: mode, named: path, by: temporary, produce)
    case .other: try fill(open(path, O_WRONLY | O_CREAT, named: path), named: path, produce)
    }
  }

  /// Puts a file of `bytes` where nothing is, without a name before it is whole: so it leaves nothing behind however the
  /// process ends, and on most file systems costs less than a name that is changed.
  ///
  /// - Parameter folder: The directory that it is put in.
  /// - Returns: False where something is already, or where no file can be without a name. Then nothing has changed.
  /// - Throws: ``LoadError/Kind/io`` when no file can be made there, or when it cannot be written.
  static func create(
    _ path: String, in folder: String, with bytes: [UInt8]
  ) throws(LoadError) -> Bool {
    let descriptor = Platform.openUnnamed(in: folder)
    guard descriptor >= 0 else {
      if [EACCES, EROFS, ENOSPC, EDQUOT, EMFILE, ENFILE].contains(errno) { throw failure(path) }
      return false
    }
    var isNamed = false
    do throws(LoadError) {
      try fill(descriptor, named: path) { write throws(LoadError) in
        try write(bytes.span)
        isNamed = Platform.giveName(path, to: descriptor)
      }
    } catch {
      if isNamed { unsafe unlink(path) }
      throw error
    }
    return isNamed
  }

  /// Puts a file of `bytes` where `path` is, whatever is there but a directory. It is written as `temporary` first, on the
  /// same file system.
  static func replace(_ path: String, with bytes: [UInt8], by temporary: String) throws(LoadError) {
    try replace(path, mode: nil, named: path, by: temporary) { write throws(LoadError) in
      try write(bytes.span)
    }
  }

  /// How long a pipe may stay silent, in seconds. 8: as long as decoding a picture may take.
  private static let longestSilence: Int32 = 8

  /// Reads the file or pipe at `path` whole, up to `limit` bytes.
  static func read(_ path: String, limit: Int) throws(LoadError) -> [UInt8] {
    var bytes: [UInt8] = []
    try read(path) { piece throws(LoadError) in
      bytes += piece
      guard bytes.count <= limit else { throw tooLarge(path, limit) }
    }
    return bytes
  }

  /// Hands the file or pipe at `path` over piece by piece; `-` is standard input.
  static func read(_ path: String, piece: ([UInt8]) throws(LoadError) -> Void) throws(LoadError) {
    let descriptor = path == "-" ? STDIN_FILENO : try Platform.openForReading(path, waits: false)
    defer { if path != "-" { Platform.close(descriptor) } }
    while true {
      guard Platform.hasInput(descriptor, within: longestSilence) else {
        throw LoadError(.timeout, "\(path) gave nothing for \(longestSilence) s; is anything writing to it?")
      }
      // 1 MB: few calls for a large file, and little for a small one.
      guard let bytes = Platform.read(descriptor, atMost: 1 << 20) else {
        throw LoadError(.io, "cannot read \(path): \(Platform.reason(errno))")
      }
      if bytes.isEmpty { return }
      try piece(bytes)
    }
  }

  /// Makes `path` a directory, if it is not one.
  static func makeDirectory(_ path: String) throws(LoadError) {
    do {
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    } catch {
      let deed = "make the directory \(path)"
      guard let system = (error as? CocoaError)?.underlying as? POSIXError else {
        throw LoadError(.io, "cannot \(deed): \(error)")
      }
      throw .cannot(deed, because: system.code.rawValue)
    }
  }

  private static func tooLarge(_ path: String, _ limit: Int) -> LoadError {
    LoadError(.bodyTooLarge, "\(path) is larger than the \(limit) bytes that are read at most")
  }

  private static func failure(_ name: String) -> LoadError {
    .cannotWrite(name, because: errno)
  }

  /// Puts a new file where `path` is.
  private static func replace(
    _ path: String, mode: mode_t?, named name: String, by temporary: String,
    _ produce: (Writer) throws(LoadError) -> Void
  ) throws(LoadError) {
    let descriptor = try open(temporary, O_WRONLY | O_CREAT | O_EXCL, named: name)
    do throws(LoadError) {
      try fill(descriptor, named: name, produce)
      if let mode, unsafe chmod(temporary, mode) != 0 { throw failure(name) }
      if unsafe rename(temporary, path) != 0 { throw failure(name) }
    } catch {
      unsafe unlink(temporary)
      throw error
    }
  }

  private static func open(_ path: String, _ flags: Int32, named name: String) throws(LoadError) -> Int32 {
    let descriptor = Platform.openForWriting(path, flags)
    guard descriptor >= 0 else { throw failure(name) }
    return descriptor
  }

  /// Writes and closes `descriptor`.
  private static func fill(
    _ descriptor: Int32, named name: String, _ produce: (Writer) throws(LoadError) -> Void
  ) throws(LoadError) {
    do throws(LoadError) {
      try produce { bytes throws(LoadError) in
        if Output.write(bytes, to: descriptor) != 0 { throw failure(name) }
      }
    } catch {
      Platform.close(descriptor)
      throw error
    }
    guard Platform.close(descriptor) == 0 else { throw failure(name) }
  }
}

extension LoadError {
  /// `name` cannot be written, for which the system has `code`.
  static func cannotWrite(_ name: String, because code: Int32) -> LoadError {
    cannot("write \(name)", because: code)
  }

  /// `deed` cannot be done, for which the system has `code`. Room on a disk may be there later.
  static func cannot(_ deed: String, because code: Int32) -> LoadError {
    LoadError(.io, "cannot \(deed): \(Platform.reason(code))", isRetryable: code == ENOSPC || code == EDQUOT)
  }
}
