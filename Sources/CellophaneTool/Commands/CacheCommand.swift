internal import ArgumentParser
internal import Cellophane

/// `cellophane cache …`
struct CacheCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "cache", abstract: "Look into the disk cache, check it, and make room.",
    subcommands: [Stats.self, List.self, Verify.self, Trim.self, Clear.self])

  /// What every subcommand takes.
  struct Place: ParsableArguments {
    @Option(name: .customLong("cache-dir"), help: "The cache. [default: the user's cache]")
    var directory: String?

    @Flag(help: "Print one JSON object.")
    var json = false

    /// The cache; one that does not exist is empty.
    func open() throws -> DiskCache {
      do throws(LoadError) {
        let path = try CacheDirectory.resolve(directory)
        guard Platform.isDirectory(path) ?? true else {
          throw LoadError(.io, "cannot open the cache \(path): it is not a directory")
        }
        return DiskCache(directory: path)
      } catch {
        throw Failure(error, json: json)
      }
    }

    /// - Throws: when something in `cache` could not be read or removed.
    func check(_ cache: DiskCache) async throws {
      guard let error = await cache.counters.lastError else { return }
      throw Failure(LoadError(.io, error), json: json)
    }

    /// Prints how much there is.
    func reportStats(of cache: DiskCache) async throws {
      let stats = await cache.stats()
      try await check(cache)
      let report = StatsReport(
        directory: cache.directory, entries: stats.entries, prefixes: stats.prefixes, bytes: stats.bytes)
      if json { return try Output.json(report) }
      let unfinished = report.prefixes > 0 ? "  \(report.prefixes) unfinished" : ""
      try Output.line(
        "\(report.directory)  \(report.entries) entries\(unfinished)  \(Text.bytes(report.bytes))")
    }
  }

  /// What `--json` prints of how much there is.
  struct StatsReport: Encodable {
    let directory: String
    let entries: Int
    let prefixes: Int
    let bytes: Int
  }

  /// `cache stats`
  struct Stats: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "How much there is.")
    @OptionGroup var place: Place

    func run() async throws { try await place.reportStats(of: try place.open()) }
  }

  /// `cache list`
  struct List: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "What there is, the most recently used first.")
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
      let entries = await cache.list(progress: Output.progress("listed"))
      try await place.check(cache)
      let reports = entries.sorted { $0.sinceUse < $1.sinceUse }.map { entry in
        Report(
          url: entry.url, account: entry.account, status: entry.status, bytes: entry.size,
          isPrefix: entry.isPrefix, sinceUse_s: entry.sinceUse / .seconds(1),
          fresh_s: max(0, entry.freshness.remaining(at: now)))
      }
      if place.json { return try Output.json(["entries": reports]) }
      for report in reports {
        let freshness =
          report.isPrefix ? "unfinished" : report.fresh_s > 0 ? "fresh for \(report.fresh_s) s" : "stale"
        try Output.line(
          [
            Text.padded(Text.bytes(report.bytes), to: 10), Text.padded(freshness, to: 20),
            Text.padded("used \(Text.duration(.seconds(report.sinceUse_s))) ago", to: 20),
            report.url + (report.account.map { "  for \($0)" } ?? ""),
          ].joined(separator: "  ")
        )
      }
    }
  }

  /// `cache verify`
  struct Verify: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Read everything; remove what is damaged. The exit code is 2 when something was.")
    @OptionGroup var place: Place

    struct Report: Encodable {
      let intact: Int
      let corrupt: Int
      let unreadable: Int
      let bytes: Int
    }

    func run() async throws {
      let cache = try place.open()
      let found = await cache.verify(progress: Output.progress("verified"))
      if found.intact + found.corrupt + found.unreadable == 0 { try await place.check(cache) }
      let report = Report(
        intact: found.intact, corrupt: found.corrupt, unreadable: found.unreadable, bytes: found.bytes)
      if place.json {
        try Output.json(report)
      } else {
        try Output.line(
          "\(report.intact) intact, \(report.corrupt) damaged and removed, \(report.unreadable) left, unreadable or not removable  "
            + Text.bytes(report.bytes))
      }
      if let error = await cache.counters.lastError { Output.error("io: \(error)") }
      if report.corrupt + report.unreadable > 0 { throw Failure(reported: .someFailed) }
    }
  }

  /// `cache trim`
  struct Trim: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Remove the least recently used.")
    @OptionGroup var place: Place
    @Option(help: "The bytes that may stay.")
    var to: Int

    func validate() throws {
      guard to >= 0 else { throw ValidationError("--to is at least 0") }
    }

    func run() async throws {
      let cache = try place.open()
      await cache.trim(to: to)
      try await place.reportStats(of: cache)
    }
  }

  /// `cache clear`
  struct Clear: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Remove everything.")
    @OptionGroup var place: Place

    func run() async throws {
      let cache = try place.open()
      await cache.removeAll()
      try await place.reportStats(of: cache)
    }
  }
}
