internal import Cellophane
internal import CellophaneBatch

/// How far a batch is, in one line. Where there is no room for all, what was loaded goes first; then the hosts, the last
/// ones first, how much is done, the kinds of failures, the rarest first, and at last the time left and the pace.
struct PrefetchLine {
  /// What is told. 3 kinds, and 2 hosts of each sort: more do not fit anywhere.
  private struct Extent {
    var hasByteRate = true
    var hasBytes = true
    var hosts = 6
    var hasPauses = true
    var hasPercent = true
    var kinds = 3
    var hasFailures = true
    var hasTimeLeft = true
    var hasRate = true

    /// Leaves out what matters least; false when nothing is left to be left out.
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
  // What ails hosts, and which: sorts one behind the other.
  private let hosts: [(sort: String, text: String)]
  // How many are left alone.
  private let paused: Int

  /// - Parameters:
  ///   - share: How much is done, from 0 to 1; nil when that is not known.
  ///   - restraints: The hosts that get less than they may have, the worst first.
  init(_ summary: BatchSummary, _ pace: BatchPace, share: Double?, _ restraints: [HostRestraint] = []) {
    (self.summary, self.pace, self.share) = (summary, pace, share)
    self.paused = restraints.count { $0.pause != nil }
    let paused = restraints.filter { $0.pause != nil }.prefix(2)
    let slowed = restraints.filter { $0.pause == nil && $0.limit != nil }.prefix(2)
    let told = Set((paused + slowed).map(\.host))
    // By scheme, host and port; the scheme is no news.
    let failing = summary.failureHosts.worst.map {
      (String($0.host.trimmingPrefix(/https?:\/\//)), $0.failures)
    }
    .filter { !told.contains($0.0) }.prefix(2)
    hosts =
      paused.map { ("paused", "\(Self.short($0.host)) \(Self.words($0.pause ?? .zero))") }
      + slowed.map { ("slowed", "\(Self.short($0.host)) to \($0.limit ?? 0)") }
      + failing.map { ("most at", "\(Self.short($0.0)) \(Text.count($0.1))") }
  }

  /// - Parameter columns: The most characters; nil for any number.
  func text(columns: Int? = nil) -> String {
    var extent = Extent()
    var text = text(extent)
    guard let columns else { return text }
    while text.count > columns, extent.shorten() { text = self.text(extent) }
    return String(text.prefix(columns))
  }

  private func text(_ extent: Extent) -> String {
    var parts = ["\(Text.count(summary.lines)) lines"]
    if extent.hasRate, let rate = pace.linesPerSecond {
      // Below ten a second the tenths tell something.
      parts.append((rate < 10 ? Text.decimal(rate) : Text.count(Int(rate))) + "/s")
    }
    if extent.hasBytes, summary.fetchedBytes > 0 {
      let rate = extent.hasByteRate ? pace.bytesPerSecond.map { " (\(Text.bytes(Int($0)))/s)" } : nil
      parts.append(Text.bytes(summary.fetchedBytes) + (rate ?? ""))
    }
    // Nothing is left only when there is nothing to wait for.
    let left = share.flatMap { $0 < 1 ? pace.left.map { "\(Self.words($0)) left" } : nil }
    let percent = share.map { "\(Int(min(1, $0) * 100)) %" }
    let rest = [
      extent.hasPercent || left == nil && extent.hasTimeLeft ? percent : nil, extent.hasTimeLeft ? left : nil,
    ].compactMap(\.self)
    if !rest.isEmpty { parts.append(rest.joined(separator: ", ")) }
    if extent.hasFailures, summary.failed > 0 { parts.append(failures(extent.kinds)) }
    // Where no name fits: why nothing moves.
    if extent.hosts == 0, extent.hasPauses, paused > 0 { parts.append("\(Text.count(paused)) paused") }
    var sort = ""
    for host in hosts.prefix(extent.hosts) {
      if host.sort == sort {
        parts[parts.count - 1] += ", " + host.text
      } else {
        parts.append("\(host.sort): \(host.text)")
      }
      sort = host.sort
    }
    return parts.joined(separator: "  ")
  }

  private func failures(_ count: Int) -> String {
    let kinds = summary.failures.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.prefix(count)
    let told = kinds.map { "\($0.key) \(Text.count($0.value))" }.joined(separator: ", ")
    return "\(Text.count(summary.failed)) failed" + (told.isEmpty ? "" : ": " + told)
  }

  /// 30: beside longer names there is no room for anything.
  private static func short(_ host: String) -> String { host.count > 30 ? host.prefix(27) + "..." : host }

  /// In whole seconds, a part of one counted as one.
  private static func words(_ duration: Duration) -> String {
    Duration.seconds((duration / .seconds(1)).rounded(.up)).inWords
  }
}
