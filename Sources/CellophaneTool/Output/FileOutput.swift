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
  /// Writes `bytes` to `path`, under another name first, so that nobody sees half of it; `-` is standard
  /// output.
  static func write(_ bytes: [UInt8], to path: String) throws(LoadError) {
    if path == "-" { return try Output.bytes(bytes) }
    do {
      try Data(bytes).write(to: URL(filePath: path), options: .atomic)
    } catch {
      throw LoadError(.io, "cannot write \(path): \(reason(error))")
    }
  }

  /// Reads the file or pipe at `path` whole, up to `limit` bytes.
  static func read(_ path: String, limit: Int) throws(LoadError) -> [UInt8] {
    let descriptor = try Platform.openForReading(path)
    defer { Platform.close(descriptor) }
    var bytes: [UInt8] = []
    while bytes.count <= limit {
      // 1 MB: few calls for a large file, and little for a small one.
      guard let piece = Platform.read(descriptor, atMost: 1 << 20) else {
        throw LoadError(.io, "cannot read \(path): \(Platform.reason(errno))")
      }
      if piece.isEmpty { return bytes }
      bytes += piece
    }
    throw LoadError(.bodyTooLarge, "\(path) is larger than the \(limit) bytes that are read at most")
  }

  /// Makes `path` a directory, if it is not one.
  static func makeDirectory(_ path: String) throws(LoadError) {
    do {
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    } catch {
      throw LoadError(.io, "cannot make the directory \(path): \(reason(error))")
    }
  }

  private static func reason(_ error: any Error) -> String {
    guard let error = error as? CocoaError else { return "\(error)" }
    switch error.code {
    case .fileNoSuchFile, .fileReadNoSuchFile: return "there is no such file"
    case .fileReadNoPermission, .fileWriteNoPermission: return "permission denied"
    case .fileWriteOutOfSpace: return "the disk is full"
    case .fileWriteVolumeReadOnly: return "the disk is read-only"
    default: return "the system refused (\(error.code.rawValue))"
    }
  }
}
