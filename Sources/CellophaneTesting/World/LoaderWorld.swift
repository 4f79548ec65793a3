public import Cellophane

/// A byte loader in virtual time, over a scripted origin and a disk cache in memory.
///
/// A loader of images or other values takes ``bytes``. All parts share one clock:
///
/// ```swift
/// let world = LoaderWorld()
/// world.origin.script("http://h/a", .status(503), .ok("one"))
/// ```
public struct LoaderWorld: Sendable {
  /// The clock and executor of all parts.
  public let time: VirtualTime
  /// The timeline of all parts.
  public var timeline: Timeline { bytes.timeline }
  /// The files of the disk cache.
  public let files: MemoryFileSystem
  /// The origin of every URL. It refuses requests to URLs without a script.
  public let origin: ScriptedTransport
  /// The loader.
  public let bytes: ByteLoader
  private let cacheLimit: Int?
  private let configuration: ByteLoader.Configuration
  private let connect: @Sendable (ScriptedTransport) -> any Transport

  /// Creates a loader over empty files.
  ///
  /// - Parameters:
  ///   - seed: The seed of the order of tasks; see ``VirtualTime/init(seed:)``.
  ///   - cacheLimit: The maximum number of bytes of the disk cache; nil for a loader without one.
  ///   - configure: Changes the configuration of the loader.
  ///   - connect: Returns the transport of the loader, for one that wraps the origin.
  public init(
    seed: UInt64? = nil, cacheLimit: Int? = DiskCache.defaultLimit,
    configure: (inout ByteLoader.Configuration) -> Void = { _ in },
    through connect: @escaping @Sendable (ScriptedTransport) -> any Transport = { $0 }
  ) {
    let time = VirtualTime(seed: seed)
    var configuration = ByteLoader.Configuration()
    configure(&configuration)
    self.init(
      time, MemoryFileSystem(), ScriptedTransport(timeline: time.timeline()), cacheLimit, configuration,
      connect)
  }

  private init(
    _ time: VirtualTime, _ files: MemoryFileSystem, _ origin: ScriptedTransport, _ cacheLimit: Int?,
    _ configuration: ByteLoader.Configuration,
    _ connect: @escaping @Sendable (ScriptedTransport) -> any Transport
  ) {
    (self.time, self.files, self.origin) = (time, files, origin)
    (self.cacheLimit, self.configuration, self.connect) = (cacheLimit, configuration, connect)
    let disk = cacheLimit.map {
      DiskCache.inMemory(files, limit: $0, executor: time.lane(), timeline: origin.timeline)
    }
    bytes = ByteLoader(
      transport: connect(origin), disk: disk, configuration: configuration, timeline: origin.timeline,
      bodies: nil)
  }

  /// Returns the world of the next process: a new loader over the same files, origin and time.
  ///
  /// - Parameters:
  ///   - tear: The damage to the file that was written last.
  ///   - configure: Changes the configuration of the new loader.
  public func restarted(
    tearing tear: MemoryFileSystem.Tear = .none,
    configure: (inout ByteLoader.Configuration) -> Void = { _ in }
  ) -> LoaderWorld {
    files.restart(tearing: tear)
    return sibling(configure: configure)
  }

  /// Returns the world of another process that runs at the same time over the same files.
  package func sibling(
    configure: (inout ByteLoader.Configuration) -> Void = { _ in },
    through connect: (@Sendable (ScriptedTransport) -> any Transport)? = nil
  ) -> LoaderWorld {
    var configuration = configuration
    configure(&configuration)
    return LoaderWorld(time, files, origin, cacheLimit, configuration, connect ?? self.connect)
  }

  /// Advances the clock by `duration`, and runs all tasks on the way.
  public func advance(_ duration: Duration) { time.run(until: time.now.advanced(by: duration)) }

  /// Loads `url`. Returns the body as text and its source, such as `one network` or `one disk, stale`. After an error,
  /// returns the status of the response, or else the kind of the error.
  public func load(
    _ url: String, _ headers: HeaderFields = [:], _ policy: CachePolicy = .standard
  ) async -> String {
    do throws(LoadError) {
      let loaded = try await bytes.load(
        Request(url, headers: headers, options: NoOptions(), cachePolicy: policy))
      return "\(String(decoding: loaded.bytes, as: UTF8.self)) \(loaded.source.rawValue)"
        + (loaded.isStale ? ", stale" : "")
    } catch {
      return error.status.map { "\($0)" } ?? error.kind.rawValue
    }
  }

  /// Returns whether no load runs, waits or is in flight.
  package func isIdle() async -> Bool {
    await bytes.activity == (0, 0, 0) && origin.running == 0
  }
}
