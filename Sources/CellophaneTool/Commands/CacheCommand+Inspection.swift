internal import ArgumentParser
internal import Cellophane

extension CacheCommand {
  /// `cache list`
  struct List: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "list",
      abstract: "List the entries, the most recently used first.",
      discussion: """
        A URL may have several entries. They differ in the request headers after the URL, in the cache partition in \
        brackets, or in the account. Values that may be secret are shown as a hash (#0123abcd).

        Entries with damaged metadata are omitted and counted on standard error; only verify reads the bodies. An \
        entry that cannot be read is omitted too, and the exit code is 2.

        The JSON has entries, each with url, fields (request headers by name), partition, account, status, \
        bytes (of the body), isPrefix (true for a partial response), sinceUse_s and fresh_s (seconds; 0 is stale). \
        Members without a value are absent.

        Examples:
          cellophane cache list
          cellophane cache list --json | jq -r '.entries[].url'
        """)
    @OptionGroup var shared: SharedOptions

    struct Report: Encodable {
      let url: String
      let fields: [String: String]?
      let partition: String?
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
        (partition, account) = (entry.partition, entry.account)
        (status, bytes, isPrefix) = (entry.status, entry.size, entry.isPrefix)
        sinceUse_s = entry.sinceUse / .seconds(1)
        fresh_s = max(0, entry.freshness.remaining(at: now))
      }

      /// The URL and the differences to its other entries.
      var name: String {
        ([url] + (fields ?? [:]).sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }
          + [partition.map { "[\($0)]" }, account.map { "for \($0)" }].compactMap(\.self)).joined(
            separator: "  ")
      }
    }

    func run() async throws {
      let cache = try shared.open()
      let now = Timeline().secondsSince1970
      let (entries, damaged) = await shared.withProgress("entries read") { await cache.listing(progress: $0) }
      if entries.isEmpty { try await shared.check(cache) }
      let reports = entries.sorted { $0.sinceUse < $1.sinceUse }.map { Report($0, at: now) }
      try show(reports, of: cache, isEmpty: entries.isEmpty && damaged == 0)
      if damaged > 0 {
        let entries = damaged == 1 ? "entry is" : "entries are"
        Output.note("\(Text.count(damaged)) damaged \(entries) omitted; run cellophane cache verify")
      }
      if let error = await cache.counters.lastError {
        Output.error("io: \(error)")
        throw Failure(reported: .someFailed)
      }
    }

    private func show(_ reports: [Report], of cache: DiskCache, isEmpty: Bool) throws {
      if shared.json { return try Output.json(["entries": reports]) }
      if isEmpty { return Output.note("the cache \(cache.directory) is empty") }
      if reports.isEmpty { return }
      var table = Table(.right, .right, .right, .left)
      table.add("SIZE", "FRESH FOR", "USED", "URL")
      for report in reports {
        let freshness =
          report.isPrefix
          ? "partial" : report.fresh_s > 0 ? Duration.seconds(report.fresh_s).inWords : "stale"
        let size =
          report.status >= 400
          ? "error \(report.status)" : report.status >= 300 ? "redirect" : Text.bytes(report.bytes)
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
      abstract: "Read all files, and remove damaged ones.",
      discussion: """
        The exit code is 2 if a file is damaged or cannot be read.

        The JSON has intact (files) and bytes (their total length), corrupt (damaged and removed files) and unreadable \
        (files that could not be read, or not be removed).

        Examples:
          cellophane cache verify
        """)
    @OptionGroup var shared: SharedOptions

    struct Report: Encodable {
      let intact: Int
      let corrupt: Int
      let unreadable: Int
      let bytes: Int
    }

    func run() async throws {
      let cache = try shared.open()
      let found = await shared.withProgress("files read") { await cache.verify(progress: $0) }
      if found.intact + found.corrupt + found.unreadable == 0 { try await shared.check(cache) }
      let report = Report(
        intact: found.intact, corrupt: found.corrupt, unreadable: found.unreadable, bytes: found.bytes)
      if shared.json {
        try Output.json(report)
      } else {
        var table = Table(.left, .right, .left)
        table.add("intact", Text.count(report.intact), Text.bytes(report.bytes) + " of data")
        table.add("damaged", Text.count(report.corrupt), report.corrupt > 0 ? "removed" : "")
        let remark = report.unreadable > 0 ? "could not be read or removed" : ""
        table.add("unreadable", Text.count(report.unreadable), remark)
        try Output.lines(table.lines)
      }
      if let error = await cache.counters.lastError { Output.error("io: \(error)") }
      if report.corrupt + report.unreadable > 0 { throw Failure(reported: .someFailed) }
    }
  }
}
