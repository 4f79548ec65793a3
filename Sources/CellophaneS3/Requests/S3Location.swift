package import CellophaneCore

/// A bucket, and the beginning of the keys in it: `s3://bucket/prefix`.
package struct S3Location: Hashable, Sendable, CustomStringConvertible {
  package let bucket: String
  /// The beginning of all keys: empty, or a path with a slash at its end.
  package let prefix: String

  /// Returns whether `text` names a location in a bucket.
  package static func isLocation(_ text: String) -> Bool { text.lowercased().hasPrefix("s3:") }

  /// Parses `s3://bucket` or `s3://bucket/prefix`.
  ///
  /// - Throws: ``LoadError/Kind/invalidRequest`` for another text.
  package init(_ text: String) throws(LoadError) {
    guard text.lowercased().hasPrefix("s3://") else {
      throw LoadError(.invalidRequest, "'\(text)' is no S3 location; write s3://bucket/prefix")
    }
    let parts = text.dropFirst(5).split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
    bucket = String(parts[0])
    guard Self.isBucket(bucket) else {
      throw LoadError(
        .invalidRequest,
        "'\(bucket)' is no bucket name; it has 3 to 255 letters, digits, dots, hyphens and underscores")
    }
    var path = parts.count > 1 ? parts[1] : ""
    while path.hasSuffix("/") { path.removeLast() }
    let components = path.split(separator: "/", omittingEmptySubsequences: false)
    guard path.isEmpty || !components.contains(where: { $0.isEmpty || $0 == "." || $0 == ".." }) else {
      throw LoadError(
        .invalidRequest, "the prefix '\(path)' has an empty part, '.' or '..'; write s3://bucket/a/b")
    }
    // S3 allows keys of 1 024 bytes; the rest is for the names of files.
    guard path.utf8.count <= 512 else {
      throw LoadError(.invalidRequest, "the prefix has more than 512 bytes; use a shorter one")
    }
    prefix = path.isEmpty ? "" : path + "/"
  }

  package var description: String { "s3://\(bucket)/\(prefix)" }

  private static func isBucket(_ name: String) -> Bool {
    (3...255).contains(name.utf8.count) && !name.contains("..") && !name.hasPrefix(".")
      && name.utf8.allSatisfy {
        switch $0 {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"):
          true
        default: false
        }
      }
  }
}
