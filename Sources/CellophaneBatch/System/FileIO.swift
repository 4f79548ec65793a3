package import Cellophane

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

/// Files that are read and written with errors for users.
package enum FileIO {
  /// Writes the next bytes of a file.
  package typealias Writer = (Span<UInt8>) throws(LoadError) -> Void

  /// Writes the pieces that `produce` passes to its argument to the file at `path`. If it throws, the file does not change.
  ///
  /// A file is written under another name first, so that it is never visible while incomplete. It keeps its mode, and a
  /// symbolic link to it stays. Anything that is not a file, such as a device or pipe, is written directly.
  package static func writeFile(
    at path: String, _ produce: (Writer) throws(LoadError) -> Void
  ) throws(LoadError) {
    switch Platform.target(at: path) {
    case .file(let target, let mode):
      let folder = target.lastIndex(of: "/").map { target[...$0] } ?? ""
      let temporary = folder + ".cellophane-" + String(UInt64.random(in: .min ... .max), radix: 16)
      try replace(target, mode: mode, named: path, by: temporary, produce)
    case .other: try fill(open(path, O_WRONLY | O_CREAT, named: path), named: path, produce)
    }
  }

  /// Checks that the file at `path` can probably be written, without a change. The disk may be full nevertheless.
  ///
  /// - Throws: ``LoadError/Kind/io`` if its directory is missing or cannot be changed, or if it is a directory.
  package static func checkWritable(_ path: String) throws(LoadError) {
    switch Platform.target(at: path) {
    case .file(let target, _):
      let folder = target.lastIndex(of: "/").map { String(target[...$0]) } ?? "."
      if unsafe access(folder, W_OK | X_OK) != 0 { throw failure(path) }
    case .other:
      if Platform.isDirectory(path) == true { throw .cannotWrite(path, because: EISDIR) }
      // The target of a link may be missing.
      if unsafe access(path, W_OK) != 0, errno != ENOENT { throw failure(path) }
    }
  }

  /// Creates a file with `bytes`, which gets its name only when it is complete.
  ///
  /// It leaves nothing behind when the process is killed. On most file systems it costs less than a rename.
  ///
  /// - Parameter folder: The directory of `path`.
  /// - Returns: False, without any change, if the path exists, or if the system does not support files without a name.
  /// - Throws: ``LoadError/Kind/io`` if the file cannot be created or written.
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

  /// Replaces the file at `path`, or creates it. It is written as `temporary` first, on the same file system.
  static func replace(_ path: String, with bytes: [UInt8], by temporary: String) throws(LoadError) {
    try replace(path, mode: nil, named: path, by: temporary) { write throws(LoadError) in
      try write(bytes.span)
    }
  }

  /// The maximum wait for data from a pipe, in seconds. 8: as long as decoding an image may take.
  private static let longestSilence: Int32 = 8

  /// Passes the content of the file or pipe at `path` to `piece` in parts; `-` is standard input.
  package static func read(_ path: String, piece: ([UInt8]) throws(LoadError) -> Void) throws(LoadError) {
    let descriptor = path == "-" ? STDIN_FILENO : try Platform.openForReading(path, waits: false)
    defer { if path != "-" { Platform.close(descriptor) } }
    while true {
      guard Platform.hasInput(descriptor, within: longestSilence) else {
        throw LoadError(
          .timeout, "no data from \(path) within \(longestSilence) s; check that a program writes to it")
      }
      // 1 MB: few system calls for a large file, and little memory for a small one.
      guard let bytes = Platform.read(descriptor, atMost: 1 << 20) else {
        throw LoadError(.io, "cannot read \(path): \(Platform.reason(errno))")
      }
      if bytes.isEmpty { return }
      try piece(bytes)
    }
  }

  /// Creates the directory `path` and its parents, unless it exists.
  package static func makeDirectory(_ path: String) throws(LoadError) {
    do {
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    } catch {
      let operation = "make the directory \(path)"
      guard let system = (error as? CocoaError)?.underlying as? POSIXError else {
        throw LoadError(.io, "cannot \(operation): \(error)")
      }
      if system.code == .EEXIST {
        throw LoadError(.io, "cannot \(operation): a file has this name; name another directory")
      }
      throw .cannot(operation, because: system.code.rawValue)
    }
  }

  private static func failure(_ name: String) -> LoadError {
    .cannotWrite(name, because: errno)
  }

  /// Writes a new file as `temporary` and renames it to `path`.
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

  /// Writes to `descriptor` and closes it.
  private static func fill(
    _ descriptor: Int32, named name: String, _ produce: (Writer) throws(LoadError) -> Void
  ) throws(LoadError) {
    do throws(LoadError) {
      try produce { bytes throws(LoadError) in
        if Platform.write(bytes, to: descriptor) != 0 { throw failure(name) }
      }
    } catch {
      Platform.close(descriptor)
      throw error
    }
    guard Platform.close(descriptor) == 0 else { throw failure(name) }
  }
}

extension LoadError {
  /// Returns the error for a file that cannot be written, with the system's error number.
  static func cannotWrite(_ name: String, because code: Int32) -> LoadError {
    if code == ENOENT, let end = name.lastIndex(of: "/"), end != name.startIndex {
      let folder = String(name[..<end])
      if unsafe access(folder, F_OK) != 0 {
        return LoadError(.io, "cannot write \(name): the directory \(folder) does not exist; create it")
      }
    }
    let error = cannot("write \(name)", because: code)
    return code == EISDIR ? error.appending("; name a file in it") : error
  }

  /// Returns the error for an operation that fails, with the system's error number. A full disk is a temporary failure.
  static func cannot(_ operation: String, because code: Int32) -> LoadError {
    LoadError(
      .io, "cannot \(operation): \(Platform.reason(code))", isRetryable: code == ENOSPC || code == EDQUOT)
  }
}
