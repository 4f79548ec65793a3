internal import CCurl

/// How far a hop has come, and what it has spent its time on.
extension CurlEasy {
  /// What is known of the hop, which fails with an error of `kind`.
  func exchange(failingWith kind: LoadError.Kind) -> LoadError.Exchange {
    let stage = kind == .tls ? .tls : stage
    let answer = reception.hasHead ? reception.head : nil
    return LoadError.Exchange(
      stage: stage, timings: timings(until: stage), status: answer?.status,
      contentType: answer?.fields["content-type"])
  }

  /// How far the hop has come.
  private var stage: LoadError.Stage {
    // As long as it is not libcurl's, the times of that are another hop's.
    switch place {
    case .names, .resolver: return .dns
    case .line: return .connect
    case .libcurl: break
    }
    // A file has no head.
    if isFile || reception.isHeadWhole && !reception.head.isRedirect { return .body }
    if reception.sentAt != nil { return .http }
    let times = unsafe cellophane_curl_times(handle)
    // What was not reached has no time. Nobody asks for a name before there is room for a connection.
    if times.name == 0 { return attempt.hasLookedUp ? .dns : .connect }
    // libcurl 7.88 has no time for it before encryption is agreed on as well.
    if times.connection == 0 && attempt.acceptedAt == nil || attempt.isByProxy && !hasTunnel {
      return .connect
    }
    return isEncrypted && times.encryption == 0 ? .tls : .http
  }

  /// How long the connection of the hop took to be made, TLS included.
  var handshakes: Duration { timings.connect + timings.tls }

  /// What the hop has spent its time on.
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

  /// What the hop, and those before it, have spent their time on until now, when it fails at `stage`.
  private func timings(until stage: LoadError.Stage) -> TransferTimings {
    // Before, libcurl's times are another hop's.
    guard let start = beganAt else { return spent }
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
      let sent = reception.sentAt ?? now
      timings.firstByte = (reception.firstByteAt ?? now) - sent
      timings.transfer = reception.firstByteAt.map { now - $0 } ?? .zero
    }
    timings += spent
    return timings
  }
}
