public import Cellophane

/// A loader of the images of a list, which a ``Simulation`` tests.
///
/// The list has reused cells, its slots. It binds a slot to each row that becomes visible, and the loader shows the
/// row's image in it with the methods of its ``LoaderContext``. All methods are called on the actor of the screen,
/// which represents the main thread of an app. A task that `timeline.spawn` starts there stays on this actor if its
/// closure uses `isolation`.
public protocol RowLoader: AnyObject {
  /// Loads the image of `row` for `slot`, which shows nothing now.
  func bind(_ slot: Int, to row: Int, isolation: isolated any Actor)

  /// Ends the need of `slot` for the image of its row: the slot is bound to another row next, or the screen was
  /// rotated. An image that the loader still shows in the slot counts as a wrong one.
  func unbind(_ slot: Int, isolation: isolated any Actor)

  /// Follows a motion of the list, after all visible rows have their slots. Prefetching starts here.
  func scroll(_ motion: ListMotion, isolation: isolated any Actor)

  /// Releases memory after a warning of the system.
  func releaseMemory(isolation: isolated any Actor)

  /// Ends the run: cancels all tasks of the loader.
  func end(isolation: isolated any Actor)
}

extension RowLoader {
  /// Does nothing: a loader without prefetching.
  public func scroll(_ motion: ListMotion, isolation: isolated any Actor) {}

  /// Does nothing: a loader without a cache.
  public func releaseMemory(isolation: isolated any Actor) {}
}

/// A loader that is put under test, with the name that results show.
public struct TestedLoader: Sendable {
  /// The name in tables and reports.
  public let name: String
  /// The maximum number of HTTP/1.1 connections to a host.
  public let connectionsPerHost: Int
  let make: @Sendable (LoaderContext) -> any RowLoader

  /// The accepted numbers of connections, as of concurrent transfers.
  static let connectionCounts = SimulationConfiguration.Loader.concurrencies

  /// Creates a loader under test.
  ///
  /// - Parameters:
  ///   - name: The name, of 1 to 16 letters, digits and hyphens, which is not that of a loader that the simulation
  ///     plays anyway.
  ///   - connectionsPerHost: The maximum number of HTTP/1.1 connections to a host, 1 to 64. The default is the limit
  ///     of browsers.
  ///   - make: Creates the loader of a run, on the actor of the screen.
  /// - Throws: ``LoadError/Kind/invalidRequest`` if a value is not accepted.
  public init(
    _ name: String, connectionsPerHost: Int = 6, make: @escaping @Sendable (LoaderContext) -> any RowLoader
  ) throws(LoadError) {
    try LoaderName.check(name)
    guard Self.connectionCounts.contains(connectionsPerHost) else {
      throw LoadError(
        .invalidRequest,
        "the loader \(name) must have from 1 to 64 connections per host, not \(connectionsPerHost)")
    }
    self.name = name
    self.connectionsPerHost = connectionsPerHost
    self.make = make
  }
}
