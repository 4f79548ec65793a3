internal import Cellophane

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// Files that the tool reads and writes, with errors a person can act on.
enum FileOutput {
  /// Writes `bytes` to `path`, under another name first, so that nobody sees half of it; `-` is standard
  /// output.
  static func write(_ bytes: [UInt8], to path: String) throws(LoadError) {
    if path == "-" { return Output.bytes(bytes) }
    do {
      try Data(bytes).write(to: URL(filePath: path), options: .atomic)
    } catch {
      throw LoadError(.io, "cannot write \(path): \(reason(error))")
    }
  }

  /// Reads `path` whole, up to `limit` bytes.
  static func read(_ path: String, limit: Int) throws(LoadError) -> [UInt8] {
    do {
      let attributes = try FileManager.default.attributesOfItem(atPath: path)
      if attributes[.type] as? FileAttributeType == .typeDirectory {
        throw LoadError(.io, "cannot read \(path): it is a directory")
      }
      if let size = attributes[.size] as? Int, size > limit {
        throw LoadError(.bodyTooLarge, "\(path) has \(size) bytes; at most \(limit) are read")
      }
      return Array(try Data(contentsOf: URL(filePath: path)))
    } catch let error as LoadError {
      throw error
    } catch {
      throw LoadError(.io, "cannot read \(path): \(reason(error))")
    }
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
