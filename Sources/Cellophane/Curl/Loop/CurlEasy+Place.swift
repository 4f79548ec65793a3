extension CurlEasy {
  /// Where a hop is on its way to a connection.
  enum Place {
    /// It waits for the address of its host, which another looks up.
    case names
    /// It waits for a connection that others left.
    case line(since: Duration)
    /// libcurl has it.
    case libcurl(since: Duration)
    /// libcurl found no address, and the system's resolver says why. The time is that of libcurl.
    case resolver(since: Duration)
  }

  /// When libcurl got it; nil before.
  var beganAt: Duration? {
    switch place {
    case .libcurl(let since), .resolver(let since): since
    case .names, .line: nil
    }
  }

  /// Whether its time for a connection runs, and nobody but us would end it.
  var isOutsideLibcurl: Bool {
    switch place {
    case .line, .resolver: true
    case .names, .libcurl: false
    }
  }

  /// Whether another looks up the address of its host.
  var waitsForAddress: Bool {
    if case .names = place { true } else { false }
  }

  /// Whether the system's resolver is asked about its host.
  var isAtResolver: Bool {
    if case .resolver = place { true } else { false }
  }

  /// Whether it is making a connection, from the look-up of the name to the last handshake.
  var isConnecting: Bool {
    !isAtResolver && reception.sentAt == nil && (attempt.hasLookedUp || !attempt.opened.isEmpty)
  }

  /// Whether it waits for its host's address, or others may wait for it to find that.
  var isFindingAddress: Bool {
    switch place {
    case .names, .resolver: true
    case .line, .libcurl: looksUp
    }
  }

  /// When it has waited long enough for a connection that it did not begin itself, here or inside libcurl; nil when it
  /// does not wait, or its time for a connection is over before.
  var patienceEnd: Duration? {
    let start: Duration
    switch place {
    case .line(let since): start = since
    case .libcurl(let since) where mayShare && reception.sentAt == nil && !isConnecting: start = since
    default: return nil
    }
    let end = start + ConnectionQueues.Queue.patience
    return end < connectDeadline ? end : nil
  }
}
