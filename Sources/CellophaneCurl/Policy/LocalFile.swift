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

/// The check of a `file:` URL before libcurl reads it on the event loop, where a pipe or a terminal would
/// block every other exchange.
enum LocalFile {
  /// Returns the absolute path of an existing file without symbolic links; `path` if there is no such file.
  static func absolutePath(of path: String) -> String {
    guard let absolute = unsafe realpath(path, nil) else { return path }
    defer { unsafe free(absolute) }
    return unsafe String(cString: absolute)
  }

  /// Checks that `url` names a regular file of at most `limit` bytes.
  ///
  /// - Throws: ``LoadError/Kind/io`` if it does not name a regular file, ``LoadError/Kind/bodyTooLarge`` if
  ///   the file is larger than `limit`.
  static func check(_ url: String, limit: Int) throws(LoadError) {
    let (url, _) = try CanonicalURL.parse(url)
    var status = stat()
    guard let path = URLComponents(string: url)?.path else {
      throw LoadError(.io, "cannot read \(url): it has no path")
    }
    guard unsafe stat(path, &status) == 0 else {
      throw LoadError(.io, "cannot read \(path): \(Platform.reason(errno))")
    }
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw LoadError(.io, "cannot read \(path): it is a directory or device, not a file")
    }
    guard status.st_size <= limit else {
      throw LoadError(
        .bodyTooLarge, "\(path) has \(status.st_size) bytes; the limit is \(limit) bytes", detail: .bodyLimit)
    }
  }
}
