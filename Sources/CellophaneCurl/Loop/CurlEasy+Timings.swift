internal import CCurl

/// The stage and the timings of a hop.
extension CurlEasy {
  /// Reports the details of the hop of `exchange`, which fails with `error`, and returns that error.
  ///
  /// A hop whose time ran out before the name was resolved has an error of kind ``LoadError/Kind/dns``. The
  /// system's resolver takes about as long to fail as a connection may take.
  func report(_ error: LoadError, of exchange: CurlExchange) -> LoadError {
    let stage = error.kind == .tls ? .tls : stage
    let response = parser.hasHead ? parser.head : nil
    exchange.body.fail(
      FailedExchange(
        stage: stage, timings: timings(until: stage), status: response?.status,
        contentType: response?.fields["content-type"]))
    guard error.kind == .timeout, stage == .dns else { return error }
    return LoadError(.dns, error.message + ": no name server answered", isRetryable: true)
  }

  /// The stage that the hop has reached.
  private var stage: FailedExchange.Stage {
    // Before libcurl runs the hop, its times belong to another hop.
    switch phase {
    case .awaitingAddress, .resolving: return .dns
    case .queued: return .connect
    case .running: break
    }
    // A file has no head.
    if isFile || parser.isHeadComplete && !parser.head.isRedirect { return .body }
    if parser.sentAt != nil { return .http }
    let times = unsafe cellophane_curl_times(handle)
    // A step that was not reached has no time. Without room for a connection there is no lookup yet.
    if times.name == 0 { return attempt.hasLookedUp ? .dns : .connect }
    // libcurl 7.88 sets this time only after the TLS handshake.
    if times.connection == 0 && attempt.acceptedAt == nil || attempt.usesProxy && !hasTunnel {
      return .connect
    }
    return isEncrypted && times.encryption == 0 ? .tls : .http
  }

  /// The time to set up the connection of the hop, including TLS.
  var handshakes: Duration { timings.connect + timings.tls }

  /// The timings of the hop.
  var timings: TransferTimings {
    let times = unsafe cellophane_curl_times(handle)
    var timings = TransferTimings()
    timings.dns = .microseconds(times.name)
    timings.connect = .microseconds(max(0, times.connection - times.name))
    if times.encryption > 0 { timings.tls = .microseconds(max(0, times.encryption - times.connection)) }
    if times.first_byte > 0 {
      timings.firstByte = .microseconds(max(0, times.first_byte - times.request))
      timings.transfer = .microseconds(max(0, times.total - times.first_byte))
    }
    return timings
  }

  /// Returns the timings of the hop and of those before it until now, for a failure at `stage`.
  private func timings(until stage: FailedExchange.Stage) -> TransferTimings {
    // Before, libcurl's times belong to another hop.
    guard let start = startedAt else { return earlierTimings }
    let now = timeline.now
    var timings = timings
    switch stage {
    case .dns: timings.dns = now - start
    case .connect: timings.connect = max(.zero, now - start - timings.dns)
    case .tls:
      if timings.connect == .zero, let acceptedAt = attempt.acceptedAt {
        timings.connect = max(.zero, acceptedAt - start - timings.dns)
      }
      timings.tls = max(.zero, now - start - timings.dns - timings.connect)
    case .http, .body:
      let sent = parser.sentAt ?? now
      timings.firstByte = (parser.firstByteAt ?? now) - sent
      timings.transfer = parser.firstByteAt.map { now - $0 } ?? .zero
    }
    timings += earlierTimings
    return timings
  }
}
