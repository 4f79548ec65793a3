internal import ArgumentParser
internal import Cellophane
internal import CellophaneBatch

/// `cellophane cache …`
struct CacheCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "cache", abstract: "Inspect, verify, trim or clear the disk cache.",
    discussion: """
      Examples:
        cellophane cache stats
        cellophane cache list --json
        cellophane cache trim --to 100MB
      """,
    subcommands: [Stats.self, List.self, Verify.self, Trim.self, Clear.self])

  /// The options of all subcommands.
  struct SharedOptions: ParsableArguments {
    @Option(
      name: .customLong("cache-dir"),
      help: ArgumentHelp(
        "Use the cache in this directory. (default: the user's cache directory)", valueName: "dir"),
      completion: .directory)
    var directory: String?

    @Flag(help: "Print one JSON object.")
    var json = false

    @Flag(help: "Print no progress. Progress appears only on a terminal.")
    var quiet = false

    /// Opens the cache. A directory that does not exist is an empty cache.
    func open(limit: Int = DiskCache.defaultLimit) throws -> DiskCache {
      do throws(LoadError) {
        let path = try CacheDirectory.resolve(directory, isOptional: false)
        guard Platform.isDirectory(path) ?? true else {
          throw LoadError(.io, "cannot open the cache \(path): it is not a directory")
        }
        // A typing error looks like an empty cache.
        if directory != nil, !json, Platform.isDirectory(path) == nil {
          Output.note("the directory \(path) does not exist, so the cache is empty")
        }
        return DiskCache(directory: path, limit: limit)
      } catch {
        throw Failure(error, json: json)
      }
    }

    /// Checks that all operations on `cache` succeeded.
    ///
    /// - Throws: ``Failure`` with the last error.
    func check(_ cache: DiskCache) async throws {
      guard let error = await cache.counters.lastError else { return }
      throw Failure(LoadError(.io, error), json: json)
    }

    /// Runs `body` and shows its progress.
    func withProgress<R>(
      _ items: String, of known: Int? = nil, _ body: (DiskCache.Progress?) async throws -> R
    ) async rethrows -> R {
      guard let line = ProgressLine(isQuiet: quiet) else { return try await body(nil) }
      defer { line.clear() }
      return try await body { done, total in
        line.show(done, of: total ?? known, total == nil && known == nil ? "files found" : items)
      }
    }

    /// Returns the statistics of `cache`.
    func stats(of cache: DiskCache) async throws -> CacheStatsReport {
      let stats = await withProgress("files found") { await cache.stats(progress: $0) }
      try await check(cache)
      return CacheStatsReport(stats, of: cache.directory)
    }

    func print(_ report: CacheStatsReport) throws {
      if json { try Output.json(report) } else { try Output.lines(report.lines) }
    }

    /// Runs `remove` on the cache, and prints the removed and the remaining files.
    func reportRemoval(_ remove: (DiskCache, DiskCache.Progress?) async -> Void) async throws {
      let cache = try open()
      let before = try await stats(of: cache)
      var after = before
      // In a directory without a cache nothing is created.
      if before.files > 0 {
        await withProgress("files removed", of: before.files) { await remove(cache, $0) }
        after = try await stats(of: cache)
      }
      // Other processes may have written in the meantime.
      after.removed = max(0, before.files - after.files)
      after.removedBytes = max(0, before.bytes - after.bytes)
      try print(after)
    }
  }

  /// `cache stats`
  struct Stats: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "stats",
      abstract: "Show the size of the cache.",
      discussion: """
        Sizes are those on disk, in blocks of 4096 bytes, as file systems allocate them; verify shows those of the data.

        The JSON has directory, formatVersion, limit and bytes (of all files); entries (complete responses); signposts \
        (Vary markers: files that lead to the variants of a URL, one block each); prefixes and prefixBytes (partial \
        responses that can resume); unfinished and unfinishedBytes (temporary files, also of killed processes); otherVersions and \
        otherVersionBytes (files of another format, removed later); foreign (files that are not part of the cache and \
        are never touched); sinceNewestUse_s and sinceOldestUse_s (seconds; absent in an empty cache).

        Examples:
          cellophane cache stats
          cellophane cache stats --json --cache-dir /var/cache/gallery
        """)
    @OptionGroup var shared: SharedOptions
    @Option(
      help: ArgumentHelp(
        """
        Show the used share of this size limit. fetch, prefetch and browse have their own --cache-limit.
        """, valueName: "bytes"))
    var cacheLimit = ByteCount.cacheLimit

    func validate() throws { try cacheLimit.checkAsCacheLimit() }

    func run() async throws {
      try shared.print(try await shared.stats(of: try shared.open(limit: cacheLimit.bytes)))
    }
  }

  /// `cache trim`
  struct Trim: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "trim",
      abstract: "Remove the least recently used entries.",
      discussion: """
        Prints the output of stats. The JSON also has removed (files) and removedBytes.

        Examples:
          cellophane cache trim --to 100MB
        """)
    @Option(help: ArgumentHelp("Reduce the cache to this size, such as 500kB or 100MB.", valueName: "bytes"))
    var to: ByteCount
    @OptionGroup var shared: SharedOptions

    func run() async throws {
      try await shared.reportRemoval { [to] in await $0.trim(to: to.bytes, progress: $1) }
    }
  }

  /// `cache clear`
  struct Clear: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "clear",
      abstract: "Remove all entries.",
      discussion: """
        Prints the output of stats. The JSON also has removed (files) and removedBytes.

        Examples:
          cellophane cache clear
        """)
    @OptionGroup var shared: SharedOptions

    func run() async throws { try await shared.reportRemoval { await $0.removeAll(progress: $1) } }
  }
}
