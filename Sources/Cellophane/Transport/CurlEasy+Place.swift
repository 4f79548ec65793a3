extension CurlEasy {
  /// Where a hop is on its way to a connection.
  enum Place {
    /// It waits for the address of its host, which another looks up.
    case names
    /// It waits for a connection that others left.
    case line(since: Duration)
    /// libcurl has it.
    case libcurl(since: Duration)
  }

  /// Whether it is making a connection, from the look-up of the name to the last handshake.
  var isConnecting: Bool { reception.sentAt == nil && (hasLookedUp || !opened.isEmpty) }

  /// Whether it waits for its host's address, or others may wait for it to find that.
  var isFindingAddress: Bool {
    if case .names = place { true } else { looksUp }
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
