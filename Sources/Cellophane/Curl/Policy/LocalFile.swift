#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif
#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif

/// What a `file:` URL must point at before libcurl reads it on the event loop, where a pipe or a terminal
/// would hold up every other exchange.
enum LocalFile {
  /// The path of a file that is there from the root on, without links; of one that is not, `path`.
  static func absolutePath(of path: String) -> String {
    guard let absolute = unsafe realpath(path, nil) else { return path }
    defer { unsafe free(absolute) }
    return unsafe String(cString: absolute)
  }

  /// - Throws: ``LoadError/Kind/io`` when there is no ordinary file, ``LoadError/Kind/bodyTooLarge`` when it
  ///   is larger than `limit`.
  static func check(_ url: String, limit: Int) throws(LoadError) {
    let (url, _) = try CanonicalURL.parse(url)
    var status = stat()
    guard let path = URLComponents(string: url)?.path, unsafe stat(path, &status) == 0
    else { throw LoadError(.io, "the file of the URL is not there, or may not be seen") }
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw LoadError(.io, "the URL leads to a directory or device, not to a file")
    }
    guard status.st_size <= limit else {
      throw LoadError(.bodyTooLarge, "the file has \(status.st_size) bytes; the limit is \(limit) bytes")
    }
  }
}
