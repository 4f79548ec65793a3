internal import Cellophane
internal import CellophaneBatch

/// Files of the command line, where `-` is a standard stream.
extension FileIO {
  /// Writes `bytes` to `path`; `-` is standard output.
  static func write(_ bytes: [UInt8], to path: String) throws(LoadError) {
    try write(to: path) { write throws(LoadError) in try write(bytes.span) }
  }

  /// Writes the pieces that `produce` passes to its argument to `path`; `-` is standard output. If it throws, a file does
  /// not change.
  static func write(to path: String, _ produce: (Writer) throws(LoadError) -> Void) throws(LoadError) {
    if path == "-" { return try produce { bytes throws(LoadError) in try Output.bytes(bytes) } }
    try writeFile(at: path, produce)
  }

  /// Returns the content of the file or pipe at `path`, up to `limit` bytes; `-` is standard input.
  static func read(_ path: String, limit: Int) throws(LoadError) -> [UInt8] {
    var bytes: [UInt8] = []
    try read(path) { piece throws(LoadError) in
      bytes += piece
      guard bytes.count <= limit else {
        throw LoadError(.bodyTooLarge, "\(path) exceeds the limit of \(Text.bytes(limit))")
      }
    }
    return bytes
  }
}
