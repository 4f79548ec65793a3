#if Publishers
  public import Cellophane
  public import CellophaneScreens
  #if canImport(Combine)
    public import Combine
  #else
    public import OpenCombine
  #endif

  /// A search repository whose results come from a publisher. It derives the async function of `SearchRepository` from the
  /// publisher. The reverse is ``CellophaneScreens/SearchRepository/publisher(for:on:)``.
  public protocol PublishingSearchRepository<Results>: SearchRepository {
    // Repeated, so that the compiler finds it in `publisher(for:)`.
    /// The results of a search.
    associatedtype Results

    /// Returns a publisher of the results for `text`: one value, or an error. Its subscription is cancelled when no caller waits.
    func publisher(for text: String) -> AnyPublisher<Results, any Error>
  }

  extension PublishingSearchRepository {
    /// Returns the first value for `text`.
    ///
    /// - Throws: The error of the publisher; `UnansweredError` if it finishes without a value; `CancellationError` if the task is
    ///   cancelled.
    public func results(for text: String) async throws -> Results {
      if let results = try await publisher(for: text).firstElement() { return results }
      // Not one error for both: a cancelled search changes no state, so the caller of a search without a value
      // would wait forever.
      try Task.checkCancellation()
      throw UnansweredError()
    }
  }

  extension SearchRepository where Self: Sendable {
    /// Returns a publisher of the results for `text`. Each subscriber runs a search, which ends with its subscription.
    public func publisher(for text: String, on timeline: Timeline) -> TaskPublisher<Results, any Error> {
      TaskPublisher(on: timeline) { try await results(for: text) }
    }
  }
#endif
