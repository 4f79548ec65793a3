extension CurlEasy {
  /// The phase of a hop until it has a connection.
  enum Phase {
    /// The hop waits for an address that another hop looks up.
    case awaitingAddress
    /// The hop waits for an orphaned handshake.
    case queued(since: Duration)
    /// libcurl runs the hop.
    case running(since: Duration)
    /// libcurl found no address, and the system's resolver determines the reason. The time is the start in
    /// libcurl.
    case resolving(since: Duration)
  }

  /// The time at which libcurl got the hop; nil before.
  var startedAt: Duration? {
    switch phase {
    case .running(let since), .resolving(let since): since
    case .awaitingAddress, .queued: nil
    }
  }

  /// True if the time limit for a connection runs and libcurl does not enforce it.
  var isOutsideLibcurl: Bool {
    switch phase {
    case .queued, .resolving: true
    case .awaitingAddress, .running: false
    }
  }

  /// True if another hop looks up the address of the host.
  var waitsForAddress: Bool {
    if case .awaitingAddress = phase { true } else { false }
  }

  /// True if the system's resolver examines the host.
  var isResolving: Bool {
    if case .resolving = phase { true } else { false }
  }

  /// True if the hop is setting up a connection, from the lookup of the name to the last handshake.
  var isConnecting: Bool {
    !isResolving && parser.sentAt == nil && (attempt.hasLookedUp || !attempt.openedSockets.isEmpty)
  }

  /// True if the hop waits for the host's address, or others may wait for this hop to find it.
  var isFindingAddress: Bool {
    switch phase {
    case .awaitingAddress, .resolving: true
    case .queued, .running: ownsLookup
    }
  }

  /// The time until which the hop waits for a connection that another hop started, in the queue or inside
  /// libcurl. Nil if it does not wait, or if its time limit for a connection ends first.
  var waitEnd: Duration? {
    let start: Duration
    switch phase {
    case .queued(let since): start = since
    case .running(let since) where mayMultiplex && parser.sentAt == nil && !isConnecting: start = since
    default: return nil
    }
    let end = start + ConnectionQueues.Queue.maxWait
    return end < connectDeadline ? end : nil
  }
}
