internal import Cellophane

/// Errors about files that are no results of `simulate --json`.
enum ResultFileError {
  /// Returns the error for the file `name` with the contents `bytes`, which caused `error`.
  static func describing(_ error: any Error, _ name: String, _ bytes: [UInt8]) -> LoadError {
    let error = error as? LoadError
    // The file is valid, and was written for another purpose.
    if let error, error.kind == .unsupported { return LoadError(.unsupported, "\(name) \(error.message)") }
    if let format = format(of: bytes) {
      return LoadError(.unsupported, "\(name) is \(format), not a result of simulate --json")
    }
    return LoadError(
      .corrupt,
      "\(name) is not a result of simulate --json of this version: \(error?.message ?? "it cannot be displayed")"
        + "; write a result with simulate --json"
    )
  }

  /// Returns the format of a file that is not one JSON text; nil if unknown.
  private static func format(of bytes: [UInt8]) -> String? {
    // The last four bytes of the signature of PNG only detect damage in transit.
    if bytes.starts(with: PNGHeader.signature.prefix(4)) { return "a PNG image" }
    if bytes.starts(with: JPEGHeader.signature) { return "a JPEG image" }
    let lines = bytes.split(separator: UInt8(ascii: "\n"), maxSplits: 1)
    // Two objects in two lines.
    let starts = lines.map { $0.first }
    let isEnded = lines.first?.last(where: { $0 != UInt8(ascii: "\r") }) == UInt8(ascii: "}")
    return isEnded && starts == [UInt8(ascii: "{"), UInt8(ascii: "{")] ? "JSON Lines" : nil
  }
}
