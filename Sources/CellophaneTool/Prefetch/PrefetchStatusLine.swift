internal import Cellophane
internal import CellophaneBatch

/// The progress of a batch as one line of text.
///
/// If the line is too long, parts are omitted in this order:
///
/// 1. The loaded bytes.
/// 2. The hosts, from the last to the first.
/// 3. The percentage.
/// 4. The kinds of failures, from the rarest to the most frequent, then the number of failures.
/// 5. The remaining time, then the rate.
struct PrefetchStatusLine {
  /// The parts of the line. It names at most three kinds of failures, and two hosts of each state: more never fit.
  private struct Parts {
    var hasByteRate = true
    var hasBytes = true
    var hosts = 6
    var hasPauses = true
    var hasPercent = true
    var kinds = 3
    var hasFailures = true
    var hasTimeLeft = true
    var hasRate = true

    /// Omits the least important part; returns false if none is left.
    mutating func shorten() -> Bool {
      if hasByteRate {
        hasByteRate = false
      } else if hasBytes {
        hasBytes = false
      } else if hosts > 0 {
        hosts -= 1
      } else if hasPauses {
        hasPauses = false
      } else if hasPercent {
        hasPercent = false
      } else if kinds > 0 {
        kinds -= 1
      } else if hasFailures {
        hasFailures = false
      } else if hasTimeLeft {
        hasTimeLeft = false
      } else if hasRate {
        hasRate = false
      } else {
        return false
      }
      return true
    }
  }

  private let summary: BatchSummary
  private let pace: BatchPace
  private let share: Double?
  // Hosts with problems, grouped by their state.
  private let hosts: [(state: String, text: String)]
  // The number of hosts with an open circuit breaker.
  private let paused: Int

  /// - Parameters:
  ///   - waits: The hosts without a recent result, and the time since the last one.
  ///   - share: The completed share, from 0 to 1; nil if it is not known.
  ///   - throttles: The hosts with an open circuit breaker or a lowered limit, the most restricted first.
  init(
    _ summary: BatchSummary, _ pace: BatchPace, share: Double?, _ throttles: [HostThrottle] = [],
    waits: [(host: String, time: Duration)] = []
  ) {
    (self.summary, self.pace, self.share) = (summary, pace, share)
    self.paused = throttles.count { $0.pause != nil }
    let paused = throttles.filter { $0.pause != nil }.prefix(2)
    let slowed = throttles.filter { $0.pause == nil && ($0.limit != nil || $0.rate != nil) }.prefix(2)
    let waited = waits.filter { wait in !paused.contains { $0.host == wait.host } }.prefix(2)
    let named = Set((paused + slowed).map(\.host) + waited.map(\.host))
    // The summary has scheme, host and port. The line omits the scheme.
    let failing = summary.failureHosts.worst.map {
      (String($0.host.trimmingPrefix(/https?:\/\//)), $0.failures)
    }
    .filter { !named.contains($0.0) }.prefix(2)
    hosts =
      paused.map { ("paused", "\(Self.short($0.host)) \(Self.words($0.pause ?? .zero))") }
      + waited.map { ("waiting for", "\(Self.short($0.host)) \(Self.words($0.time))") }
      + slowed.map { ("slowed", "\(Self.short($0.host)) to \(Self.words($0))") }
      + failing.map { ("failing", "\(Self.short($0.0)) \(Text.count($0.1))") }
  }

  /// Returns the line.
  ///
  /// - Parameter columns: The maximum number of characters; nil for no limit.
  func text(columns: Int? = nil) -> String {
    var parts = Parts()
    var text = text(parts)
    guard let columns else { return text }
    while text.count > columns, parts.shorten() { text = self.text(parts) }
    return String(text.prefix(columns))
  }

  private func text(_ parts: Parts) -> String {
    var texts = ["\(Text.count(summary.records)) records"]
    if parts.hasRate, let rate = pace.recordsPerSecond {
      // Tenths matter only below ten per second.
      // A rate of zero explains nothing; the hosts follow.
      texts.append(rate < 0.05 ? "waiting" : (rate < 10 ? Text.decimal(rate) : Text.count(Int(rate))) + "/s")
    }
    if parts.hasBytes, summary.fetchedBytes > 0 {
      let rate = parts.hasByteRate ? pace.bytesPerSecond.map { " (\(Text.bytes(Int($0)))/s)" } : nil
      texts.append(Text.bytes(summary.fetchedBytes) + (rate ?? ""))
    }
    // At 100 % there is no remaining time.
    let left = share.flatMap { $0 < 1 ? pace.remaining.map { "\(Self.words($0)) left" } : nil }
    let percent = share.map { "\(Int(min(1, $0) * 100)) %" }
    let rest = [
      parts.hasPercent || left == nil && parts.hasTimeLeft ? percent : nil, parts.hasTimeLeft ? left : nil,
    ].compactMap(\.self)
    if !rest.isEmpty { texts.append(rest.joined(separator: ", ")) }
    if parts.hasFailures, summary.failed > 0 { texts.append(failures(parts.kinds)) }
    // Without room for names, the number of paused hosts explains why nothing moves.
    if parts.hosts == 0, parts.hasPauses, paused > 0 { texts.append("\(Text.count(paused)) paused") }
    var state = ""
    for host in hosts.prefix(parts.hosts) {
      if host.state == state {
        texts[texts.count - 1] += ", " + host.text
      } else {
        texts.append("\(host.state): \(host.text)")
      }
      state = host.state
    }
    return texts.joined(separator: "  ")
  }

  private func failures(_ count: Int) -> String {
    let kinds = summary.failures.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.prefix(count)
    let counts = kinds.map { "\($0.key) \(Text.count($0.value))" }.joined(separator: ", ")
    return "\(Text.count(summary.failed)) failed" + (counts.isEmpty ? "" : ": " + counts)
  }

  /// Shortens a host to 30 characters. Longer names leave no room for other parts.
  private static func short(_ host: String) -> String { host.count > 30 ? host.prefix(27) + "..." : host }

  /// Returns the lowered limit of `throttle`: requests per second, or concurrent records.
  private static func words(_ throttle: HostThrottle) -> String {
    throttle.rate.map { Text.decimal($0) + "/s" } ?? "\(throttle.limit ?? 0)"
  }

  /// Returns the duration in whole seconds, rounded up.
  private static func words(_ duration: Duration) -> String {
    Duration.seconds((duration / .seconds(1)).rounded(.up)).inWords
  }
}
