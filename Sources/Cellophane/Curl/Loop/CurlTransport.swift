internal import CCurl
internal import Synchronization

/// A ``Transport`` over libcurl: an event-loop thread, or several, for all exchanges, connections kept and shared.
///
/// HTTP/1.1 and, where TLS agrees on it, HTTP/2. Certificates are always verified. Requests ask for gzip and
/// deflate, unless they say what they accept; bodies arrive decoded. A thread starts with the first thing that it has
/// to do, and ends with ``close()`` or with the transport and its ``executor``.
///
/// A connection that is being made outlives an exchange that is cancelled meanwhile, which answers at once: the next to
/// that host takes it. Each event loop makes at most six for nobody to a host, fewer where
/// ``Configuration/connectionsPerHost`` says so, and for no longer than ``TransferLimits/connect`` allowed.
///
/// How many exchanges run at once is the caller's decision; the transport runs all it is given.
public final class CurlTransport: Transport, CodingContinuer {
  /// What does not change between exchanges.
  public struct Configuration: Hashable, Sendable {
    /// The most connections to one host; further exchanges wait inside. Nil: as many as exchanges run,
    /// because the loader's gate bounds those already.
    public var connectionsPerHost: Int?
    /// The most connections that stay open, those in use among them; beyond that, one is closed when its exchange
    /// ends. Never fewer than there were exchanges at once: that would end connections that are needed again.
    public var maxIdleConnections = 64
    /// How many event loops there are at most, each a thread with connections of its own. One: it answers some thousands
    /// of exchanges a second. Of several each host has one to itself, until more than eight exchanges with it run at once;
    /// then others help, which look up its name and connect to it, too. There is one where ``connectionsPerHost`` limits
    /// that, or the process may open few files.
    public var eventLoops = 1
    /// True to answer `file:` URLs. Off: a list of URLs from elsewhere must not read local files.
    public var allowsFiles = false
    /// True to refuse addresses that are not on the public internet, judged by the address that the
    /// socket really connects to. It also turns proxies off, behind which that address is unknown.
    public var deniesPrivateAddresses = false
    /// True to follow redirects from https to http, where anybody on the way can read and change the answer.
    public var allowsDowngrade = false
    /// A file of PEM certificates to trust instead of the system's.
    public var caFile: String?
    /// What `User-Agent` says unless a request says it; empty for no such field.
    public var userAgent = "Cellophane"
    /// The proxy for every origin, whatever the environment says. Nil: what `http_proxy`, `https_proxy`, `all_proxy` and
    /// `no_proxy` say there, if they do when the transport is made.
    public var proxy: Proxy?

    /// The defaults.
    public init() {}

    /// For a server that loads what strangers ask it for: private addresses are denied, so that nobody reaches
    /// through it what only it can reach.
    public static var server: Configuration {
      var configuration = Configuration()
      configuration.deniesPrivateAddresses = true
      return configuration
    }
  }

  /// What was configured.
  public let configuration: Configuration
  /// The most bytes of header fields that are sent. 256 KB: what is read of an answer's; servers take 8 to 32 KB.
  private static let largestRequestHead = ResponseHead.largest
  /// How many files a process must be able to open for each event loop. 256: with fewer, as many connections in one loop do
  /// the same, and each loop takes some for itself.
  private static let descriptorsOfLoop = 256
  private let ownDefect: String?
  private let timeline: Timeline
  let threads: [CurlThread]
  private let choice: Mutex<LoopChoice>

  /// A transport. Nothing is started before the first exchange.
  public convenience init(_ configuration: Configuration = Configuration()) {
    self.init(configuration, AddressBook())
  }

  /// The same with other addresses and another time, for tests.
  init(_ configuration: Configuration, _ addresses: AddressBook, timeline: Timeline = Timeline()) {
    self.configuration = configuration
    self.timeline = timeline
    let loops = Self.loops(of: configuration)
    var share = configuration
    share.eventLoops = loops
    share.proxy = configuration.proxy ?? .inEnvironment
    share.maxIdleConnections = (configuration.maxIdleConnections + loops - 1) / loops
    threads = (0..<loops).map { [share, timeline] _ in CurlThread(share, addresses, timeline) }
    executor = LoopExecutor(threads)
    choice = Mutex(LoopChoice(loops: loops))
    ownDefect = (["user-agent": configuration.userAgent] as HeaderFields).defect
    var partition: [String] = []
    if configuration.deniesPrivateAddresses { partition.append("public") }
    if configuration.allowsDowngrade { partition.append("downgrade") }
    // Last, because a path may hold whatever stands before.
    if let file = configuration.caFile {
      partition.append("certificates " + LocalFile.absolutePath(of: file))
    }
    self.partition = partition.isEmpty ? nil : partition.joined(separator: " ")
  }

  /// Has libcurl make ready what all transports of the process share, its TLS library above all. The first exchange does it
  /// otherwise, and takes a millisecond or two longer. Blocks for as long.
  public static func prepare() { _ = CurlMulti.isLibraryReady }

  /// `Accept: */*`, as libcurl sends it, and `User-Agent`.
  public var defaultHeaders: HeaderFields { ["accept": "*/*", "user-agent": configuration.userAgent] }

  /// What is public, when private addresses are denied; what a redirect to http may have led to, when that is
  /// allowed; and what the certificates of a file vouch for, by the absolute path that it had at first.
  public let partition: String?

  /// Runs tasks on the threads of the event loops, and those of them that exchange where their answer comes: for batches of
  /// many small answers, by ``Timeline/init(executor:)``. While something runs there, its loop receives nothing, so that it
  /// must not block for long. Whatever priority tasks have, they run in the order in which they come. The threads live as
  /// long as the executor; after ``close()`` tasks run on Swift's pool.
  public let executor: any TaskExecutor

  /// Sends `request`; see ``Transport/exchange(_:)``. Any status is an answer, also 404 and 500.
  ///
  /// Redirects are followed within the limits: http and https only, from https to http only where the
  /// configuration allows it, and without `Authorization`, `Cookie`, `Proxy-`, `Host` and `Origin` fields from the
  /// first foreign origin on, which gets no more of a `Referer` than its origin. `Proxy-` fields go to a proxy and to
  /// nobody else. A kept connection that the origin closes before it answers is replaced, and the request sent
  /// again; nothing else is tried twice.
  public func exchange(_ request: TransportRequest) async throws(LoadError) -> TransportResponse {
    try check(request)
    let ticket = CurlExchange(request, deadline: timeline.now + request.limits.total)
    if threads.count == 1 { return try await threads[0].exchange(ticket) }
    let current = threads.firstIndex(where: \.isCurrent)
    let place = choice.withLock { $0.enter(ticket.site, on: current) }
    defer { choice.withLock { $0.leave(place) } }
    return try await threads[place.loop].exchange(ticket)
  }

  /// Aborts what runs, closes every connection and ends the threads. What ran and what is asked for later fails
  /// with ``LoadError/Kind/closed``.
  public func close() async {
    for thread in threads { thread.stop() }
    for thread in threads { await thread.close() }
  }

  /// How many event loops there are. libcurl counts connections to a host in each, so that a limit needs one.
  private static func loops(of configuration: Configuration) -> Int {
    guard configuration.connectionsPerHost == nil, configuration.eventLoops > 1 else { return 1 }
    return max(1, min(configuration.eventLoops, Int(cellophane_curl_room()) / descriptorsOfLoop))
  }

  private func check(_ request: TransportRequest) throws(LoadError) {
    if let defect = request.headers.requestDefect ?? ownDefect {
      throw LoadError(.invalidRequest, defect)
    }
    guard request.headers.byteCount <= Self.largestRequestHead else {
      throw LoadError(
        .invalidRequest, "the request's header fields have more than \(Self.largestRequestHead) bytes")
    }
    if request.url.hasPrefix("http://") || request.url.hasPrefix("https://") { return }
    guard request.url.hasPrefix("file://") else {
      throw LoadError(.invalidRequest, "the transport needs an absolute http, https or file URL")
    }
    guard configuration.allowsFiles else {
      throw LoadError(.refused, "file URLs are not allowed here; configure the transport with allowsFiles")
    }
    try LocalFile.check(request.url, limit: request.limits.bodyBytes)
  }
}
