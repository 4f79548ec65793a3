/// The bodies that share one access link. Pure: the time, in ns, is a parameter.
protocol LinkNetwork: Sendable {
  /// Opens a connection with a new number and an initial window.
  mutating func open(_ connection: Int)

  /// Begins a body of `size` bytes on an open connection. Without a queue, its first byte arrives at `now`. Returns the
  /// stream's number.
  ///
  /// - Parameters:
  ///   - lossDraw: A uniform number in 0..<1. The higher it is, the less likely a loss hits the last window.
  /// - Precondition: `now` is not before an earlier time; `size` is at most ``FlowTerms/maxBody``.
  mutating func begin(_ size: Int, over connection: Int, order: StreamOrder, lossDraw: Double, at now: Int64)
    -> Int

  /// Begins a body that its client cancelled before the first byte, which arrives at `start`. The origin
  /// sends until it learns of the cancellation, so bytes arrive for one round trip from `now` on.
  mutating func beginCancelled(
    _ size: Int, over connection: Int, order: StreamOrder, from start: Int64, at now: Int64)

  /// Removes a stream that is complete; returns false if it is not.
  mutating func finish(_ stream: Int, at now: Int64) -> Bool

  /// Cancels a stream; returns the bytes that arrived before `now`. Bytes continue to arrive for one round
  /// trip: half of it is in flight, and the origin sends the other half before it learns of the cancellation.
  mutating func cancel(_ stream: Int, at now: Int64) -> Int

  /// Cancels a stream but receives it to its end. ``finish(_:at:)`` removes it.
  mutating func drain(_ stream: Int)

  /// Closes a connection. It accepts no new streams, and is removed after its cancelled streams end.
  mutating func close(_ connection: Int)

  /// Advances the time to `now`.
  mutating func advance(to now: Int64)

  /// Returns true once the first byte of a stream, or the end of an empty one, has arrived.
  func hasBegun(_ stream: Int) -> Bool

  /// Returns the bytes of a stream that arrived by the last event.
  func received(of stream: Int) -> Int?

  /// Returns the bytes of a stream that have not arrived.
  func remaining(of stream: Int) -> Int?

  /// Returns the congestion window of a connection, in bytes.
  func window(of connection: Int) -> Int?

  /// Returns the time that data which reaches the link at `now` waits for the data before it, in ns.
  mutating func delay(at now: Int64) -> Int64

  /// The total number of bytes that streams received after they were cancelled.
  var receivedAfterCancel: Int { get }

  /// The complete streams, in the order in which they began on each connection.
  var completed: [Int] { get }

  /// The time of the next event; nil while nothing is in transfer.
  var next: Int64? { mutating get }
}
