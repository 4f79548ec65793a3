/// The bodies that come down one access line, as flows: between two events each has a constant rate, so that
/// nothing needs to be computed but the events. Pure: time comes in as a parameter, in ns.
///
/// The line is shared max-min fairly; a flow takes at most its congestion window per round trip, and the window
/// doubles with every round trip (slow start) until it fills the line. All numbers are integers: rates in bit/s,
/// what is left of a flow in bit/s · ns. The same flows end at the same ns on every machine.
struct FlowNetwork {
  /// A segment of TCP, in bytes: Ethernet's 1500 less the headers of IP and TCP.
  static let segment = 1460
  /// The window of a new connection, in bytes: ten segments (RFC 6928).
  static let initialWindow = 10 * segment
  /// The largest flow, in bytes. 1 GiB: what is left of it still fits 64 bits, and no picture comes near.
  static let largestFlow = 1 << 30
  /// What counts as no limit, in bit/s: a terabit moves a picture in less than a µs.
  private static let unlimitedRate: Int64 = 1_000_000_000_000
  /// One byte, in bit/s · ns.
  private static let byte: Int64 = 8 * 1_000_000_000

  private struct Flow {
    let number: Int
    let size: Int
    var left: Int64
    var rate: Int64 = 0
    var window: Int
    var grows: Int64?
  }

  private let capacity: Int64
  private let roundTrip: Int64
  /// The window at which the line is full: the bandwidth-delay product, rounded up.
  private let fullWindow: Int
  private var flows: [Flow] = []
  private var time: Int64 = 0
  private var flowsBegun = 0

  /// An idle line.
  init(bitsPerSecond: Int?, roundTrip: Duration) {
    capacity = bitsPerSecond.map(Int64.init) ?? Self.unlimitedRate
    self.roundTrip = roundTrip.wholeNanoseconds
    fullWindow = Int(clamping: (Int128(capacity) * Int128(self.roundTrip)) / Int128(Self.byte) + 1)
  }

  /// Lets the first byte of a body of `size` bytes arrive now, on a connection whose window is `window`. Returns
  /// the flow's number.
  ///
  /// - Precondition: `now` is not before any time given earlier; `size` is at most ``largestFlow``.
  mutating func begin(_ size: Int, window: Int, at now: Int64) -> Int {
    precondition((0...Self.largestFlow).contains(size), "a flow of \(size) bytes")
    advance(to: now)
    flowsBegun += 1
    flows.append(
      Flow(
        number: flowsBegun, size: size, left: Int64(size) * Self.byte, window: window,
        grows: window < fullWindow && roundTrip > 0 ? now + roundTrip : nil))
    share()
    return flowsBegun
  }

  /// Takes out a flow, whole or not; returns the bytes that came and the connection's window.
  mutating func end(_ number: Int, at now: Int64) -> (received: Int, window: Int)? {
    advance(to: now)
    guard let index = flows.firstIndex(where: { $0.number == number }) else { return nil }
    let flow = flows.remove(at: index)
    share()
    return (received(flow), flow.window)
  }

  /// The bytes of a flow that came until the last event.
  func received(of number: Int) -> Int? { flows.first { $0.number == number }.map(received) }

  /// The flows that are whole, in the order in which they began.
  var whole: [Int] { flows.filter { $0.left == 0 }.map(\.number) }

  /// When the next flow is whole or the next window grows; nil while nothing flows.
  var next: Int64? {
    flows.compactMap { flow in
      guard flow.left > 0 else { return nil }
      // Rounded up: at that time nothing is left.
      let end = time + (flow.left - 1) / flow.rate + 1
      return flow.grows.map { min($0, end) } ?? end
    }.min()
  }

  /// Lets time pass until `now`.
  mutating func advance(to now: Int64) {
    while let next, next <= now {
      flow(until: next)
      for index in flows.indices where flows[index].grows == next {
        flows[index].window *= 2
        flows[index].grows = flows[index].window < fullWindow ? next + roundTrip : nil
      }
      share()
    }
    flow(until: now)
  }

  private mutating func flow(until now: Int64) {
    precondition(now >= time, "time goes forward")
    for index in flows.indices where flows[index].left > 0 {
      // At most what is left and one rate: `now` is not behind the end of any flow.
      flows[index].left = max(0, flows[index].left - flows[index].rate * (now - time))
    }
    time = now
  }

  /// Divides the line: who wants less than an equal share gets what he wants, the others share the rest.
  private mutating func share() {
    let waiting = flows.indices.filter { flows[$0].left > 0 }.sorted { limit($0) < limit($1) }
    var free = capacity
    for (place, index) in waiting.enumerated() {
      // At least 1 bit/s, so that every flow ends.
      let rate = max(1, min(limit(index), free / Int64(waiting.count - place)))
      flows[index].rate = rate
      free -= min(free, rate)
    }
  }

  /// The most that the window of a flow lets through, in bit/s.
  private func limit(_ index: Int) -> Int64 {
    guard roundTrip > 0, flows[index].window < fullWindow else { return capacity }
    return min(capacity, Int64(clamping: Int128(flows[index].window) * Int128(Self.byte) / Int128(roundTrip)))
  }

  private func received(_ flow: Flow) -> Int { flow.size - Int((flow.left + Self.byte - 1) / Self.byte) }
}
