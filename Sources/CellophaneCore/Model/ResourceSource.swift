/// A source of resources under URLs with a custom scheme, for example the images of an application's archive.
///
/// ```swift
/// struct Archive: ResourceSource {
///   let files: [String: [UInt8]]
///
///   func bytes(of url: String) throws(LoadError) -> [UInt8] {
///     guard let bytes = files[url] else { throw LoadError(.invalidRequest, "the archive has no \(url)") }
///     return bytes
///   }
/// }
/// ```
///
/// Loads are coalesced, limited and kept in memory like those of an origin. They never touch the disk cache, and no
/// redirect leads to a source.
public protocol ResourceSource: Sendable {
  /// Returns the bytes of `url`, which never change. The loader calls it off the caller's actor.
  ///
  /// - Throws: ``LoadError``; ``LoadError/cancelled`` if the source noticed that its task was cancelled.
  func bytes(of url: String) async throws(LoadError) -> [UInt8]
}

/// The source of a request that asks no origin. The key of the request identifies the resource.
package final class RequestSource: Hashable, Sendable {
  /// The media type; nil if it is not known.
  package let type: String?
  /// Returns the bytes.
  package let load: @Sendable () async throws(LoadError) -> [UInt8]

  init(type: String? = nil, load: @escaping @Sendable () async throws(LoadError) -> [UInt8]) {
    (self.type, self.load) = (type, load)
  }

  /// True: requests with equal keys have the same resource.
  package static func == (a: RequestSource, b: RequestSource) -> Bool { true }
  package func hash(into hasher: inout Hasher) {}
}

extension Request {
  /// Creates a request for a resource of `source`.
  ///
  /// - Parameter url: A URL with another scheme than `http`, `https`, `file` and `data`. It identifies the resource among
  ///   all sources of the loader.
  /// - Throws: ``LoadError/Kind/invalidRequest`` with the reason.
  public init(
    _ url: String, from source: some ResourceSource, options: Options, priority: Priority = .normal,
    deadline: Duration? = nil
  ) throws(LoadError) {
    let scheme = try SourceURL.scheme(of: url)
    self.init(
      url: url, scheme: scheme,
      source: RequestSource { () throws(LoadError) in try await source.bytes(of: url) },
      options: options, priority: priority, deadline: deadline)
  }

  /// Creates a request for bytes in memory, for example of a file inside of another one.
  ///
  /// - Parameters:
  ///   - id: Identifies the bytes among all requests of this kind: equal identifiers share one value in memory.
  ///   - bytes: Returns the bytes. Called only if no value is in memory.
  public init(
    id: String, options: Options, priority: Priority = .normal, deadline: Duration? = nil,
    bytes: @escaping @Sendable () async throws(LoadError) -> [UInt8]
  ) {
    self.init(
      url: "memory:" + id, scheme: "memory", source: RequestSource(load: bytes), options: options,
      priority: priority, deadline: deadline)
  }
}

/// The URLs of sources.
enum SourceURL {
  /// The schemes that the loader itself reads.
  private static let reserved: Set = ["http", "https", "file", "data", "memory"]

  /// Returns the scheme of a URL in lower case (RFC 3986, section 3.1).
  static func scheme(of url: String) throws(LoadError) -> String {
    guard url.utf8.count <= CanonicalURL.longest else {
      throw LoadError(.invalidRequest, "the URL is longer than \(CanonicalURL.longest) bytes")
    }
    let scheme = url.prefix { $0 != ":" }
    guard scheme.endIndex < url.endIndex, scheme.first?.isLetter == true,
      scheme.utf8.allSatisfy({ $0 < 0x80 }),
      scheme.allSatisfy({ $0.isLetter || $0.isNumber || "+-.".contains($0) })
    else {
      throw LoadError(.invalidRequest, "the URL of a source begins with a scheme; write scheme:name")
    }
    guard !reserved.contains(scheme.lowercased()) else {
      throw LoadError(
        .invalidRequest, "the scheme '\(scheme)' is not free for a source; choose one of your own")
    }
    return scheme.lowercased()
  }
}
