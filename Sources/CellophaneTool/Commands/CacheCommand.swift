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

    @Flag(help: "Show no progress; there is none either where standard error is no terminal.")
    var quiet = false

    /// The cache; one that does not exist is empty.
    func open(limit: Int = DiskCache.defaultLimit) throws -> DiskCache {
      do throws(LoadError) {
        let path = try CacheDirectory.resolve(directory)
        guard Platform.isDirectory(path) ?? true else {
          throw LoadError(.io, "cannot open the cache \(path): it is not a directory")
        }
        return DiskCache(directory: path, limit: limit)
      } catch {
        throw Failure(error, json: json)
      }
    }

    /// - Throws: when something in `cache` could not be read or removed.
    func check(_ cache: DiskCache) async throws {
      guard let error = await cache.counters.lastError else { return }
      throw Failure(LoadError(.io, error), json: json)
    }

    /// Runs `body`, and shows how far it is.
    func watching<R>(
      _ what: String, of known: Int? = nil, _ body: (DiskCache.Progress?) async throws -> R
    ) async rethrows -> R {
      guard let line = ProgressLine(isQuiet: quiet) else { return try await body(nil) }
      defer { line.clear() }
      return try await body { done, total in
        line.show(done, of: total ?? known, total == nil && known == nil ? "files found" : what)
      }
    }

    /// What is in `cache`.
    func stats(of cache: DiskCache) async throws -> CacheStatsReport {
      let stats = await watching("files found") { await cache.stats(progress: $0) }
      try await check(cache)
      return CacheStatsReport(stats, of: cache.directory)
    }

    func print(_ report: CacheStatsReport) throws {
      if json { try Output.json(report) } else { try Output.lines(report.lines) }
    }

    /// Lets `remove` work on the cache, and tells what is gone and what is left.
    func reportRemoval(_ remove: (DiskCache, DiskCache.Progress?) async -> Void) async throws {
      let cache = try open()
      let before = try await stats(of: cache)
      var after = before
      // Where nothing is ours nothing of ours is left behind.
      if before.files > 0 {
        await watching("files removed", of: before.files) { await remove(cache, $0) }
        after = try await stats(of: cache)
      }
      // Others may have written meanwhile.
      after.removed = max(0, before.files - after.files)
      after.removedBytes = max(0, before.bytes - after.bytes)
      try print(after)
    }
  }

  /// `cache stats`
  struct Stats: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "stats",
      abstract: "How much there is.",
      discussion: """
        Bytes are counted in blocks of 4096, the unit in which file systems hand out space. In the JSON:
        directory, formatVersion and limit (bytes); bytes of all files; entries (whole responses); signposts (files \
        that lead to the variants of a URL, one block each); prefixes, prefixBytes (beginnings of responses, to be continued); unfinished, unfinishedBytes (being written, or \
        left behind by a process that died); otherVersions, otherVersionBytes (files of another format, ignored \
        and swept); foreign (files that are not the cache's, left alone); sinceNewestUse_s, sinceOldestUse_s \
        (seconds; absent when nothing was used).
        """)
    @OptionGroup var place: Place
    @Option(help: ArgumentHelp("The limit that those who write keep to.", valueName: "bytes"))
    var cacheLimit = ByteCount.cacheLimit

    func validate() throws { try cacheLimit.checkAsCacheLimit() }

    func run() async throws {
      try place.print(try await place.stats(of: try place.open(limit: cacheLimit.bytes)))
    }
  }

  /// `cache trim`
  struct Trim: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "trim",
      abstract: "Remove the least recently used.",
      discussion: "Prints what stats prints; in the JSON also removed (files) and removedBytes.")
    @OptionGroup var place: Place
    @Option(help: ArgumentHelp("What may stay, as 500000, 500kB, 100MB or 1GB.", valueName: "bytes"))
    var to: ByteCount

    func run() async throws {
      try await place.reportRemoval { [to] in await $0.trim(to: to.bytes, progress: $1) }
    }
  }

  /// `cache clear`
  struct Clear: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "clear",
      abstract: "Remove everything.",
      discussion: "Prints what stats prints; in the JSON also removed (files) and removedBytes.")
    @OptionGroup var place: Place

    func run() async throws { try await place.reportRemoval { await $0.removeAll(progress: $1) } }
  }
}
