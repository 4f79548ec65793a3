internal import ArgumentParser
internal import Cellophane

extension CacheCommand {
  /// `cache list`
  struct List: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "What there is, the most recently used first.",
      discussion: """
        In the JSON: entries, each with url, account (absent without one), status, bytes (of the body), isPrefix \
        (only the beginning is there), sinceUse_s and fresh_s (seconds; 0 is stale).
        """)
    @OptionGroup var place: Place

    struct Report: Encodable {
      let url: String
      let account: String?
      let status: Int
      let bytes: Int
      let isPrefix: Bool
      let sinceUse_s: Double
      let fresh_s: Int64
    }

    func run() async throws {
      let cache = try place.open()
      let now = Timeline().secondsSince1970
      let entries = await place.watching("entries read") { await cache.list(progress: $0) }
      try await place.check(cache)
      let reports = entries.sorted { $0.sinceUse < $1.sinceUse }.map { entry in
        Report(
          url: entry.url, account: entry.account, status: entry.status, bytes: entry.size,
          isPrefix: entry.isPrefix, sinceUse_s: entry.sinceUse / .seconds(1),
          fresh_s: max(0, entry.freshness.remaining(at: now)))
      }
      if place.json { return try Output.json(["entries": reports]) }
      if reports.isEmpty { return Output.note("\(cache.directory) has no entries") }
      var table = Table(.right, .right, .right, .left)
      table.add("SIZE", "FRESH FOR", "USED", "URL")
      for report in reports {
        let freshness =
          report.isPrefix
          ? "unfinished" : report.fresh_s > 0 ? Duration.seconds(report.fresh_s).inWords : "stale"
        table.add(
          Text.bytes(report.bytes), freshness, Duration.seconds(report.sinceUse_s).inWords + " ago",
          report.url + (report.account.map { "  for \($0)" } ?? ""))
      }
      try Output.lines(table.lines)
    }
  }

  /// `cache verify`
  struct Verify: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Read everything; remove what is damaged. The exit code is 2 when something was.",
      discussion: """
        In the JSON: intact (files) and bytes (their lengths together); corrupt (damaged, and removed); unreadable \
        (not read, or damaged and not removed; left).
        """)
    @OptionGroup var place: Place

    struct Report: Encodable {
      let intact: Int
      let corrupt: Int
      let unreadable: Int
      let bytes: Int
    }

    func run() async throws {
      let cache = try place.open()
      let found = await place.watching("files read") { await cache.verify(progress: $0) }
      if found.intact + found.corrupt + found.unreadable == 0 { try await place.check(cache) }
      let report = Report(
        intact: found.intact, corrupt: found.corrupt, unreadable: found.unreadable, bytes: found.bytes)
      if place.json {
        try Output.json(report)
      } else {
        var table = Table(.left, .right, .left)
        table.add("intact", Text.count(report.intact), Text.bytes(report.bytes))
        table.add("damaged", Text.count(report.corrupt), report.corrupt > 0 ? "removed" : "")
        let reason = report.unreadable > 0 ? "left: not readable, or not removable" : ""
        table.add("unreadable", Text.count(report.unreadable), reason)
        try Output.lines(table.lines)
      }
      if let error = await cache.counters.lastError { Output.error("io: \(error)") }
      if report.corrupt + report.unreadable > 0 { throw Failure(reported: .someFailed) }
    }
  }
}
