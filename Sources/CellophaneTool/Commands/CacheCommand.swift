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

    func open() throws -> DiskCache {
      do throws(LoadError) {
        return DiskCache(directory: try CacheDirectory.resolve(directory))
      } catch {
        throw Failure(error, json: json)
      }
    }
  }

  /// `cache stats`
  struct Stats: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "How much there is.")
    @OptionGroup var place: Place

    struct Report: Encodable {
      let directory: String
      let entries: Int
      let bytes: Int
    }

    func run() async throws {
      let cache = try place.open()
      let stats = await cache.stats()
      let report = Report(directory: cache.directory, entries: stats.entries, bytes: stats.bytes)
      if place.json { return try Output.json(report) }
      try Output.line("\(report.directory)  \(report.entries) entries  \(Text.bytes(report.bytes))")
    }
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
      let sinceUse_s: Double
      let fresh_s: Int64
    }

    func run() async throws {
      let cache = try place.open()
      let now = Timeline().secondsSince1970
      let reports = await cache.list().sorted { $0.sinceUse < $1.sinceUse }.map { entry in
        Report(
          url: entry.url, account: entry.account, status: entry.status, bytes: entry.size,
          sinceUse_s: entry.sinceUse / .seconds(1), fresh_s: max(0, entry.freshness.remaining(at: now)))
      }
      if place.json { return try Output.json(["entries": reports]) }
      for report in reports {
        let freshness = report.fresh_s > 0 ? "fresh for \(report.fresh_s) s" : "stale"
        try Output.line(
          "\(Text.padded(Text.bytes(report.bytes), to: 10))  \(Text.padded(freshness, to: 20))  \(report.url)"
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
      let found = await (try place.open()).verify()
      let report = Report(
        intact: found.intact, corrupt: found.corrupt, unreadable: found.unreadable, bytes: found.bytes)
      if place.json {
        try Output.json(report)
      } else {
        try Output.line(
          "\(report.intact) intact, \(report.corrupt) damaged and removed, \(report.unreadable) unreadable  "
            + Text.bytes(report.bytes))
      }
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
      try await Stats.parse(["--cache-dir", cache.directory] + (place.json ? ["--json"] : [])).run()
    }
  }

  /// `cache clear`
  struct Clear: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Remove everything.")
    @OptionGroup var place: Place

    func run() async throws {
      let cache = try place.open()
      await cache.removeAll()
      try await Stats.parse(["--cache-dir", cache.directory] + (place.json ? ["--json"] : [])).run()
    }
  }
}
