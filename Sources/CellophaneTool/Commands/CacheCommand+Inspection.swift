internal import ArgumentParser
internal import Cellophane

extension CacheCommand {
  /// `cache list`
  struct List: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "list",
      abstract: "What there is, the most recently used first.",
      discussion: """
        A URL may stand there several times: behind it are the header fields that tell the variants apart, the \
        transport's realm in brackets, and whose it is. Values that may be a secret are told by a hash (#0123abcd). \
        In the JSON: entries, each with url, fields (by name; absent without any), realm and account (absent without \
        one), status, bytes (of the body), isPrefix (only the beginning is there), sinceUse_s and fresh_s (seconds; \
        0 is stale). What is damaged is left out; so is what cannot be read, and the exit code is 2 then.
        """)
    @OptionGroup var place: Place

    struct Report: Encodable {
      let url: String
      let fields: [String: String]?
      let realm: String?
      let account: String?
      let status: Int
      let bytes: Int
      let isPrefix: Bool
      let sinceUse_s: Double
      let fresh_s: Int64

      init(_ entry: DiskEntry, at now: Int64) {
        url = entry.url
        let pairs = entry.fields.fields.map { ($0.name, $0.value) }
        fields = pairs.isEmpty ? nil : Dictionary(pairs) { $0 + ", " + $1 }
        (realm, account) = (entry.partition, entry.account)
        (status, bytes, isPrefix) = (entry.status, entry.size, entry.isPrefix)
        sinceUse_s = entry.sinceUse / .seconds(1)
        fresh_s = max(0, entry.freshness.remaining(at: now))
      }

      /// The URL and what tells its entries apart.
      var name: String {
        ([url] + (fields ?? [:]).sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }
          + [realm.map { "[\($0)]" }, account.map { "for \($0)" }].compactMap(\.self)).joined(separator: "  ")
      }
    }

    func run() async throws {
      let cache = try place.open()
      let now = Timeline().secondsSince1970
      let entries = await place.watching("entries read") { await cache.list(progress: $0) }
      if entries.isEmpty { try await place.check(cache) }
      let reports = entries.sorted { $0.sinceUse < $1.sinceUse }.map { Report($0, at: now) }
      try show(reports, of: cache)
      if let error = await cache.counters.lastError {
        Output.error("io: \(error)")
        throw Failure(reported: .someFailed)
      }
    }

    private func show(_ reports: [Report], of cache: DiskCache) throws {
      if place.json { return try Output.json(["entries": reports]) }
      if reports.isEmpty { return Output.note("\(cache.directory) has no entries") }
      var table = Table(.right, .right, .right, .left)
      table.add("SIZE", "FRESH FOR", "USED", "URL")
      for report in reports {
        let freshness =
          report.isPrefix
          ? "unfinished" : report.fresh_s > 0 ? Duration.seconds(report.fresh_s).inWords : "stale"
        let size = (300..<400).contains(report.status) ? "redirect" : Text.bytes(report.bytes)
        table.add(
          size, freshness, Duration.seconds(report.sinceUse_s).inWords + " ago",
          report.name)
      }
      try Output.lines(table.lines)
    }
  }

  /// `cache verify`
  struct Verify: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "verify",
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
