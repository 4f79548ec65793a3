internal import Synchronization

/// An observer of one load, which receives the details if the load fails.
public final class FetchObserver: Sendable {
  private struct State {
    /// The flight that the load joined.
    var flight: (any FlightProgress)?
    var failure: FailedFetch?
  }

  private let state = Mutex(State())

  /// Creates an observer for one load.
  public init() {}

  /// The details of the failed load; nil after success, and if the caller's task was
  /// cancelled or missed its deadline.
  public var failure: FailedFetch? { state.withLock(\.failure) }

  /// Observes `flight`, which the load joins.
  func join(_ flight: some FlightProgress) { state.withLock { $0.flight = flight } }

  /// Runs `load`, which joins its flight with ``join(_:)``.
  func observe<Value>(
    _ load: () async throws(LoadError) -> Value
  ) async throws(LoadError) -> Value {
    do throws(LoadError) {
      let value = try await load()
      state.withLock { $0 = State() }
      return value
    } catch {
      state.withLock { $0 = State(failure: $0.flight?.failure) }
      throw error
    }
  }
}
