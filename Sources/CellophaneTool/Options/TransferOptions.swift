public import ArgumentParser
public import Cellophane
internal import CellophaneSimulation

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// The options of commands that load from URLs.
struct TransferOptions: ParsableArguments {
  @Option(name: .customLong("cache-dir"), help: "Where responses are kept. [default: the user's cache]")
  var cacheDirectory: String?

  @Option(
    help: ArgumentHelp(
      "The most that the cache may hold; what was used least recently goes first.", valueName: "bytes"))
  var cacheLimit = ByteCount.cacheLimit

  @Flag(help: "Keep nothing on disk.")
  var noCache = false

  @Option(
    name: [.customShort("H"), .customLong("header")], parsing: .unconditionalSingleValue,
    help: "A request header, 'Name: value'; may be given several times.")
  var headers: [String] = []

  @Option(
    name: [.customShort("A"), .long],
    help: "What User-Agent says, unless a header does. [default: cellophane/VERSION]")
  var userAgent: String?

  @Option(
    name: [.customShort("x"), .long],
    help: ArgumentHelp(
      """
      Go through this proxy, in place of what http_proxy, https_proxy, all_proxy and no_proxy say; '' for none. \
      SCHEME is http, https, socks5, or socks5h, which looks names up itself.
      """, valueName: "[scheme://][user:password@]host[:port]"))
  var proxy: String?

  @Flag(help: "Ask the origin, whatever is cached.")
  var reload = false

  @Flag(help: "Ask only the caches, not the origin; with -H 'Cache-Control: max-stale' for stale bytes, too.")
  var offline = false

  @Option(help: "The longest a load may take with all its attempts, in seconds.")
  var timeout: Double = 60

  @Option(
    help: ArgumentHelp("The largest body after content decoding, such as 5MB.", valueName: "bytes"))
  var maxBytes = ByteCount.bodyLimit

  @Option(help: "A file of certificates (PEM) to trust instead of the system's.")
  var cacert: String?

  @Flag(name: .customLong("allow-private"), help: "Allow private and loopback addresses. (default)")
  var allowsPrivate = false

  @Flag(name: .customLong("deny-private"), help: "Refuse private, loopback and link-local addresses.")
  var deniesPrivate = false

  @Flag(name: .customLong("allow-downgrade"), help: "Follow redirects from https to http.")
  var allowsDowngrade = false

  @Flag(name: .customLong("allow-files"), help: "Allow file: URLs.")
  var allowsFiles = false

  @Option(
    name: .customLong("ignore-query"), parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      """
      Query items that do not count for what a URL names, such as signatures: URLs that differ in them alone are one \
      in the cache, and each is asked for as it is. May be given several times.
      """, valueName: "[HOST:]NAME[,NAME...]"))
  var queryRules: [QueryRule] = []

  mutating func validate() throws {
    if reload && offline { throw ValidationError("--reload and --offline exclude each other") }
    if allowsPrivate && deniesPrivate {
      throw ValidationError("--allow-private and --deny-private exclude each other")
    }
    do throws(LoadError) {
      if let proxy = try way(), proxy != .direct, deniesPrivate {
        throw LoadError(
          .invalidRequest,
          "--proxy and --deny-private exclude each other: behind a proxy nobody sees which address is reached"
        )
      }
    } catch {
      throw ValidationError(error.message)
    }
    guard timeout > 0, timeout <= 86_400 else {
      throw ValidationError("--timeout is a number of seconds, more than 0 and at most 86400")
    }
    guard maxBytes.bytes > 0 else { throw ValidationError("--max-bytes is more than 0") }
    try cacheLimit.checkAsCacheLimit()
    let own: HeaderFields = ["user-agent": agent]
    if let defect = own.requestDefect { throw ValidationError(defect) }
    _ = try requestHeaders()
  }

  /// The request headers.
  func requestHeaders() throws -> HeaderFields {
    var fields = HeaderFields()
    for (index, header) in headers.enumerated() {
      // Not shown: it may be a secret.
      guard let colon = header.firstIndex(of: ":"), colon != header.startIndex else {
        throw ValidationError("a header is written 'Name: value', which -H number \(index + 1) is not")
      }
      let value = header[header.index(after: colon)...].drop { $0 == " " || $0 == "\t" }
      // Byte by byte as it was typed.
      fields.append(String(header[..<colon]), String(fieldBytes: Array(value.utf8).span))
    }
    return fields
  }

  /// The proxy; nil for the environment's. What was typed is in no error: it may have a password.
  private func way() throws(LoadError) -> Proxy? {
    guard let proxy else { return nil }
    return try Proxy(proxy)
  }

  /// What `User-Agent` says, byte by byte as it was typed.
  private var agent: String {
    guard let userAgent else { return "cellophane/" + SimulationTool.version }
    return String(fieldBytes: Array(userAgent.utf8).span)
  }

  /// - Throws: ``LoadError/Kind/refused`` for a file URL, unless they are allowed.
  static func check(_ url: String, allowsFiles: Bool) throws(LoadError) {
    guard allowsFiles || String(url.utf8.prefix(5))?.lowercased() != "file:" else {
      throw LoadError(.refused, "\(url) is a file; --allow-files allows it")
    }
  }

  /// Which caches may answer.
  var cachePolicy: CachePolicy { reload ? .reload : offline ? .offline : .standard }

  /// The disk cache, if any.
  func disk() throws(LoadError) -> DiskCache? {
    if noCache { return nil }
    return DiskCache(directory: try CacheDirectory.resolve(cacheDirectory), limit: cacheLimit.bytes)
  }

  /// A loader of bytes that keeps to these options.
  ///
  /// - Parameters:
  ///   - eventLoops: How many threads there are for transfers.
  ///   - onLoops: Whether loads, and what asks for them, run there as well.
  func byteLoader(
    eventLoops: Int = 1, onLoops: Bool = false, _ adjust: (inout ByteLoader.Configuration) -> Void = { _ in }
  ) throws(LoadError) -> ByteLoader {
    var transport = deniesPrivate ? CurlTransport.Configuration.server : CurlTransport.Configuration()
    transport.allowsFiles = allowsFiles
    transport.allowsDowngrade = allowsDowngrade
    transport.caFile = cacert
    transport.userAgent = agent
    transport.proxy = try way()
    transport.eventLoops = eventLoops
    var configuration = ByteLoader.Configuration()
    configuration.limits.total = .seconds(timeout)
    configuration.limits.bodyBytes = maxBytes.bytes
    configuration.refreshesInBackground = false
    configuration.queryRules = queryRules
    adjust(&configuration)
    let curl = CurlTransport(transport)
    let timeline = Timeline(executor: onLoops ? curl.executor : nil)
    return ByteLoader(transport: curl, disk: try disk(), configuration: configuration, timeline: timeline)
  }
}

extension QueryRule: ExpressibleByArgument {
  /// A rule from `NAME[,NAME…]`, with `HOST:` in front for one host alone.
  public init?(argument: String) {
    let colon = argument.lastIndex(of: ":")
    let host = colon.map { String(argument[..<$0]) }
    let names = argument[(colon.map(argument.index(after:)) ?? argument.startIndex)...]
      .split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    // What cannot stand in a name, or in a host, would never match.
    guard names.allSatisfy(Self.isPlain), host.map(Self.isPlain) ?? true else { return nil }
    self.init(ignoring: Set(names), host: host)
  }

  private static func isPlain(_ text: String) -> Bool {
    !text.isEmpty && !text.contains { $0.isWhitespace || "/?#&=".contains($0) }
  }
}

/// Where the disk cache is.
enum CacheDirectory {
  /// The one that was named, or the user's.
  static func resolve(_ named: String?) throws(LoadError) -> String {
    if let named {
      guard !named.isEmpty else {
        throw LoadError(.invalidRequest, "--cache-dir is empty; name a directory")
      }
      return named
    }
    if let own = DiskCache.defaultDirectory(environment: ProcessInfo.processInfo.environment) { return own }
    throw LoadError(
      .invalidRequest, "no home directory to keep a cache in; name one with --cache-dir, or use --no-cache")
  }
}
