/// The bytes that the responses over one connection may take, framing included.
///
/// HTTP/2 sends several responses at a time, and frames that belong to none of them. Only the sum of all bytes can
/// therefore be limited.
struct ConnectionAllowance {
  /// The number of received bytes from which the connection is flooded.
  private(set) var bytes: Int

  /// Creates the allowance of a connection over which `received` bytes have arrived.
  init(received: Int) { bytes = received }

  /// Allows for a response with a body of at most `limit` bytes.
  mutating func begin(limit: Int) { bytes += Self.most(for: limit) }

  /// Reduces the allowance for a response that is complete and has a body of `length` bytes. It stays after a
  /// cancellation, because the rest of the response may still arrive.
  mutating func finish(limit: Int, length: Int) { bytes -= Self.most(for: limit) - Self.most(for: length) }

  /// At most 2^50 bytes, so that the sum does not overflow.
  private static func most(for length: Int) -> Int { min(TransferLimits.mostReceived(for: length), 1 << 50) }
}
