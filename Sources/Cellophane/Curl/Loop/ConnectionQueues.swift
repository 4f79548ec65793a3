/// The queues of all sites that have any. Lives on the loop's thread.
final class ConnectionQueues {
  typealias Queue = ConnectionQueue<ObjectIdentifier>

  private var queues: [String: Queue] = [:]
  private let connectionsPerHost: Int?
  /// The most connections that are made for nobody to all hosts: as many as are kept, and half of what can be opened.
  private let mostSpare: Int
  private var spare = 0

  /// No queues, for a transport that can open `room` connections.
  init(_ configuration: CurlTransport.Configuration, room: Int) {
    connectionsPerHost = configuration.connectionsPerHost
    mostSpare = min(configuration.maxIdleConnections, room / 2)
  }

  /// Whether nobody is in line anywhere, and nothing is being made for nobody; mostly so.
  var isEmpty: Bool { queues.isEmpty }

  /// What `body` returns of the queue of `site`, which it may change.
  func change<Value>(_ site: String, _ body: (inout Queue) -> Value) -> Value {
    guard let index = queues.index(forKey: site) else {
      var queue = Queue(limit: connectionsPerHost)
      let value = body(&queue)
      if !queue.isEmpty { queues[site] = queue }
      return value
    }
    // In place: a copy of a queue would copy its line.
    let value = body(&queues.values[index])
    if queues.values[index].isEmpty { queues.remove(at: index) }
    return value
  }

  /// Puts `exchange` in line at `site`; says whether it makes a connection or waits for one. `hasFree` says whether one
  /// is free.
  func join(_ exchange: CurlExchange, at site: String, hasFree: () -> Bool) -> Queue.Way {
    change(site) { queue in
      let way = queue.hasUnclaimed && !hasFree() ? Queue.Way.wait : .connect
      queue.join(ObjectIdentifier(exchange), way)
      return way
    }
  }

  /// Takes `exchange` out of the line at `site`.
  func leave(_ exchange: CurlExchange, at site: String) {
    if isEmpty { return }
    change(site) { $0.leave(ObjectIdentifier(exchange)) }
  }

  /// Whether handshakes at `site` go on for nobody; if so, counts them.
  func keep(_ site: String) -> Bool {
    guard spare < mostSpare, change(site, { $0.keep() }) else { return false }
    spare += 1
    return true
  }

  /// Notes that a connection that was made for nobody is there, or failed.
  func endSpare(_ site: String) {
    spare -= 1
    change(site) { $0.endSpare() }
  }
}

extension String {
  /// The scheme and authority of this URL, as they stand there.
  var site: String {
    unsafe utf8.withContiguousStorageIfAvailable { unsafe $0.site } ?? utf8.site
  }
}

extension Collection<UInt8> {
  fileprivate var site: String {
    guard let colon = firstIndex(of: UInt8(ascii: ":")) else { return String(decoding: self, as: UTF8.self) }
    let authority = self[colon...].dropFirst("://".utf8.count).prefix {
      $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#")
    }
    return String(decoding: self[..<authority.endIndex], as: UTF8.self)
  }
}
