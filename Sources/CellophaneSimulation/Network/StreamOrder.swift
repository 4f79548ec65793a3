/// The priority of a stream (RFC 9218).
struct StreamOrder: Sendable, Hashable {
  /// 0 is the most urgent, 7 the least; 3 is the default.
  var urgency = 3
  /// True if the client can use parts of the resource. It then shares the connection with other incremental
  /// streams.
  var isIncremental = false
}

/// The order in which a server sends the streams of a connection.
enum StreamScheduling: Sendable, Hashable {
  /// The first of the most urgent streams alone. If it is incremental, all incremental streams of that urgency
  /// (RFC 9218).
  case urgency
  /// The first stream alone.
  case fifo
  /// All streams.
  case roundRobin

  /// Returns the streams that are served now, of those that are `ready`, in the order of their requests.
  func served(_ ready: [Int], order: (Int) -> StreamOrder) -> [Int] {
    switch self {
    case .fifo: return Array(ready.prefix(1))
    case .roundRobin: return ready
    case .urgency:
      guard let urgency = ready.map({ order($0).urgency }).min() else { return [] }
      let urgent = ready.filter { order($0).urgency == urgency }
      guard let first = urgent.first else { return [] }
      return order(first).isIncremental ? urgent.filter { order($0).isIncremental } : [first]
    }
  }
}
