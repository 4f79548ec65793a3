public import ArgumentParser
public import Cellophane

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// The disk cache of commands that load from URLs, and its use.
struct StorageOptions: ParsableArguments {
  @Option(
    name: .customLong("cache-dir"),
    help: ArgumentHelp(
      "Store responses in this directory. (default: the user's cache directory)", valueName: "dir"),
    completion: .directory)
  var directory: String?

  @Option(
    name: .customLong("cache-limit"),
    help: ArgumentHelp(
      "Limit the size of the cache; the least recently used entries are removed.", valueName: "bytes"))
  var limit = ByteCount.cacheLimit

  @Flag(help: "Store nothing on disk.")
  var noCache = false

  @Flag(help: "Request everything from the origin, even if it is cached.")
  var reload = false

  @Flag(
    help: """
      Use only the caches. Add -H 'Cache-Control: max-stale' to accept stale responses.
      """)
  var offline = false

  @Option(
    name: .customLong("ignore-query"), parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      """
      Ignore these query items, such as signatures, in cache keys. Requests still contain them. The host has no port. \
      Repeatable.
      """, valueName: "[host:]name,..."))
  var queryRules: [QueryRule] = []

  @Option(
    name: .customLong("ignore-header"), parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      """
      Ignore these request headers, such as trace ids, in cache keys. Requests still contain them. Repeatable.
      """, valueName: "name,..."))
  var ignoredNames: [String] = []

  /// The request headers that cache keys ignore.
  var ignoredHeaders: [String] {
    ignoredNames.flatMap { $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init) }
  }

  func validate() throws {
    if reload && offline {
      throw ValidationError("--reload and --offline are mutually exclusive; leave one out")
    }
    try limit.checkAsCacheLimit()
    for name in ignoredHeaders {
      var fields = HeaderFields()
      fields.append(name, "")
      if fields.defect != nil {
        throw ValidationError(
          "--ignore-header: '\(name)' is no header name; write names separated by commas, such as traceparent,x-id"
        )
      }
      if !HeaderFields.mayBeIgnored(name.lowercased()) {
        throw ValidationError(
          "--ignore-header: '\(name)' is a credential, a condition or a range, which select the response; leave it out"
        )
      }
    }
  }

  /// The caches that may respond.
  var policy: CachePolicy { reload ? .reload : offline ? .offline : .standard }

  /// Returns the disk cache; nil with `--no-cache`.
  func disk() throws(LoadError) -> DiskCache? {
    if noCache { return nil }
    return DiskCache(directory: try CacheDirectory.resolve(directory, isOptional: true), limit: limit.bytes)
  }
}

extension QueryRule: ExpressibleByArgument {
  /// Parses `NAME[,NAME…]`, with an optional `HOST:` before it; nil for any other text.
  public init?(argument: String) {
    let colon = argument.lastIndex(of: ":")
    let host = colon.map { String(argument[..<$0]) }
    let names = argument[(colon.map(argument.index(after:)) ?? argument.startIndex)...]
      .split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    // A character that names or hosts cannot contain, or a port, would never match.
    guard names.allSatisfy(Self.isPlain), host.map(Self.isHost) ?? true else { return nil }
    self.init(ignoring: Set(names), host: host)
  }

  /// Returns whether `text` may be a host; an IPv6 address is in brackets.
  private static func isHost(_ text: String) -> Bool {
    isPlain(text) && (!text.contains(":") || text.hasPrefix("[") && text.hasSuffix("]"))
  }

  private static func isPlain(_ text: String) -> Bool {
    !text.isEmpty && !text.contains { $0.isWhitespace || "/?#&=".contains($0) }
  }
}

/// The directory of the disk cache.
enum CacheDirectory {
  /// Returns `named`, or the user's cache directory if it is nil.
  ///
  /// - Parameter isOptional: True for a command that works without a cache, with `--no-cache`.
  static func resolve(_ named: String?, isOptional: Bool) throws(LoadError) -> String {
    if let named {
      guard !named.isEmpty else {
        throw LoadError(.invalidRequest, "--cache-dir is empty; name a directory")
      }
      return named
    }
    if let own = DiskCache.defaultDirectory(environment: ProcessInfo.processInfo.environment) { return own }
    throw LoadError(
      .invalidRequest,
      "neither XDG_CACHE_HOME nor HOME is an absolute path; name the directory of the cache with --cache-dir"
        + (isOptional ? ", or use --no-cache" : ""))
  }
}
