internal import CCurl
internal import Synchronization

/// A ``Transport`` over libcurl: one or several event-loop threads that share connections among exchanges.
///
/// The transport supports HTTP/1.1 and, if TLS negotiates it, HTTP/2. It always verifies certificates.
/// Requests accept gzip and deflate unless they set `Accept-Encoding`; bodies arrive decoded. A thread starts
/// with its first work and ends with ``close()``, or with the transport and the last owner of its
/// executor.
///
/// A cancelled exchange ends at once, but its handshakes continue, and the next exchange with that host uses
/// the connection. Each event loop continues at most six such handshakes per host, or
/// ``Configuration/connectionsPerHost`` if that is lower, and each at most for the rest of
/// ``TransferLimits/connect``.
///
/// The caller decides how many exchanges run at once; the transport runs all of them.
public final class CurlTransport: Transport, CodingContinuer {
  /// The settings that do not change between exchanges.
  public struct Configuration: Hashable, Sendable {
    /// The maximum number of connections to one host; further exchanges wait inside libcurl. Nil for one
    /// connection per running exchange, because the loader's gate limits those already.
    public var connectionsPerHost: Int?
    /// The maximum number of open connections, including those in use; beyond it, a connection is closed when
    /// its exchange ends. At least the maximum number of concurrent exchanges so far, because fewer would
    /// close connections that are needed again.
    public var maxIdleConnections: Int
    /// The maximum number of event loops, each a thread with separate connections. One loop handles several
    /// thousand exchanges per second.
    ///
    /// Each host has a home loop. If more than eight of its exchanges run at once, other loops take some, and
    /// each resolves the name and connects itself. One loop is used if ``connectionsPerHost`` is set, because
    /// loops cannot share that limit, or if the process may open only few files.
    public var eventLoops: Int
    /// Whether `file:` URLs are allowed. Off by default: a list of URLs from another party must not read
    /// local files.
    public var allowsFiles: Bool
    /// The hosts and addresses that requests may go to.
    public var addresses: AddressRules
    /// Whether redirects from https to http are followed, where an attacker in the network can read and
    /// change the response.
    public var allowsDowngrade: Bool
    /// A file of PEM certificates to trust instead of those of the system.
    public var caFile: String?
    /// The value of `User-Agent` unless a request sets it; empty for no such field.
    public var userAgent: String
    /// The proxy for every origin, regardless of the environment. Nil to use `http_proxy`, `https_proxy`,
    /// `all_proxy` and `no_proxy`, if one of the first three is set when the transport is created.
    public var proxy: Proxy?

    /// Creates a configuration.
    public init(
      connectionsPerHost: Int? = nil, maxIdleConnections: Int = 64, eventLoops: Int = 1,
      allowsFiles: Bool = false, addresses: AddressRules = .any, allowsDowngrade: Bool = false,
      caFile: String? = nil, userAgent: String = "Cellophane", proxy: Proxy? = nil
    ) {
      self.connectionsPerHost = connectionsPerHost
      self.maxIdleConnections = maxIdleConnections
      self.eventLoops = eventLoops
      self.allowsFiles = allowsFiles
      self.addresses = addresses
      self.allowsDowngrade = allowsDowngrade
      self.caFile = caFile
      self.userAgent = userAgent
      self.proxy = proxy
    }

    /// The configuration of a server that loads URLs from its clients: private addresses are denied, so
    /// clients cannot reach the server's internal network.
    public static var server: Configuration { Configuration(addresses: .publicOnly) }
  }

  /// The configuration of the transport.
  package let configuration: Configuration
  /// The maximum size of the request fields in bytes. 256 KB, as for a response; servers accept 8 to 32 KB.
  private static let maxRequestHead = ResponseHead.maxBytes
  /// The number of files that a process must be able to open per event loop. 256: with fewer, one loop with
  /// all connections does the same, and each loop needs some descriptors itself.
  private static let descriptorsPerLoop = 256
  private let userAgentDefect: String?
  private let timeline: Timeline
  let threads: [CurlThread]
  private let selector: Mutex<LoopSelector>

  /// Creates a transport. Its threads start with the first exchange.
  public convenience init(_ configuration: Configuration = Configuration()) {
    self.init(configuration, AddressResolution())
  }

  /// Creates a transport with other address rules and another clock, for tests.
  init(_ configuration: Configuration, _ addresses: AddressResolution, timeline: Timeline = Timeline()) {
    self.configuration = configuration
    self.timeline = timeline
    let loops = Self.loops(of: configuration)
    var share = configuration
    share.eventLoops = loops
    share.proxy = configuration.proxy ?? .inEnvironment
    share.maxIdleConnections = (configuration.maxIdleConnections + loops - 1) / loops
    threads = (0..<loops).map { [share, timeline] _ in CurlThread(share, addresses, timeline) }
    executor = LoopExecutor(threads)
    selector = Mutex(LoopSelector(loops: loops))
    defaultHeaders = ["accept": "*/*", "user-agent": configuration.userAgent]
    userAgentDefect = (["user-agent": configuration.userAgent] as HeaderFields).defect
    var partition: [String] = []
    if let rules = configuration.addresses.partition { partition.append(rules) }
    if configuration.allowsDowngrade { partition.append("downgrade") }
    // Last, because a path may contain the other names.
    if let file = configuration.caFile {
      partition.append("certificates " + LocalFile.absolutePath(of: file))
    }
    self.partition = partition.isEmpty ? nil : partition.joined(separator: " ")
  }

  /// Initializes the global state of libcurl and its TLS library. Otherwise the first exchange does so, which
  /// adds a millisecond or two. Blocks.
  package static func prepare() { _ = CurlLibrary.isReady }

  /// `Accept: */*`, as libcurl sends it, and `User-Agent`.
  public let defaultHeaders: HeaderFields

  /// The cache partition: it names the address rules, whether redirects to http are
  /// allowed, and the absolute path of the certificate file when the transport was created. Nil for the
  /// defaults.
  public let partition: String?

  /// An executor that runs tasks on the threads of the event loops, for batches of many small responses, with
  /// ``Timeline/init(executor:)``. Exchanges of such a task run where the task runs, if possible.
  ///
  /// A running task blocks its loop, so it must not block for long. Tasks run in order of arrival, regardless
  /// of priority. The threads live as long as the executor; after ``close()`` tasks run on Swift's pool.
  package let executor: any TaskExecutor

  /// Sends `request`; see ``Transport/exchange(_:)``. Every status is a response, including 404 and 500.
  ///
  /// Redirects are followed within the limits: only to http and https, and from https to http only if the
  /// configuration allows it. From the first other origin on, requests omit `Host`, `Origin` and fields
  /// with credentials (`Authorization`, `Cookie`, `X-Api-Key`), and reduce `Referer` to its origin.
  ///
  /// `Proxy-` fields are sent only to a proxy. If the origin closes a reused connection before a response,
  /// the request is sent again over another connection. There are no other retries.
  public func exchange(_ request: TransportRequest) async throws(LoadError) -> TransportResponse {
    try check(request)
    let exchange = CurlExchange(request, deadline: timeline.now + request.limits.total)
    if threads.count == 1 { return try await threads[0].exchange(exchange) }
    let current = threads.firstIndex(where: \.isCurrent)
    let assignment = selector.withLock { $0.assign(exchange.authority, on: current) }
    defer { selector.withLock { $0.release(assignment) } }
    return try await threads[assignment.loop].exchange(exchange)
  }

  /// Aborts running exchanges, closes all connections and ends the threads. These and later exchanges fail
  /// with ``LoadError/Kind/closed``.
  public func close() async {
    for thread in threads { thread.stop() }
    for thread in threads { await thread.close() }
  }

  /// Returns the number of event loops. libcurl counts connections per loop, so a limit per host needs a
  /// single loop.
  private static func loops(of configuration: Configuration) -> Int {
    guard configuration.connectionsPerHost == nil, configuration.eventLoops > 1 else { return 1 }
    return max(1, min(configuration.eventLoops, Int(cellophane_curl_free_descriptors()) / descriptorsPerLoop))
  }

  private func check(_ request: TransportRequest) throws(LoadError) {
    if let defect = request.headers.requestDefect ?? userAgentDefect {
      throw LoadError(.invalidRequest, defect)
    }
    guard request.headers.byteCount <= Self.maxRequestHead else {
      throw LoadError(
        .invalidRequest, "the request's header fields exceed \(Self.maxRequestHead) bytes")
    }
    if configuration.addresses.areLimitedToHosts {
      try configuration.addresses.check(CanonicalURL.parse(request.url).1)
    }
    if request.url.hasPrefix("http://") || request.url.hasPrefix("https://") { return }
    guard request.url.hasPrefix("file://") else {
      throw LoadError(.invalidRequest, "the transport requires an absolute http, https or file URL")
    }
    guard configuration.allowsFiles else {
      throw LoadError(.refused, "file URLs are not allowed; set allowsFiles in the transport's configuration")
    }
    try LocalFile.check(request.url, limit: request.limits.bodyBytes)
  }
}
