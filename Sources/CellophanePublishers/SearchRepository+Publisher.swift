#if Publishers
  public import Cellophane
  public import CellophaneScreens
  #if canImport(Combine)
    public import Combine
  #else
    public import OpenCombine
  #endif

  /// A repository whose results come from a publisher. What it has to offer as an async function follows from it; the other way
  /// round see ``CellophaneScreens/SearchRepository/publisher(for:on:)``.
  public protocol PublishingSearchRepository<Results>: SearchRepository {
    // Once more, so that the compiler finds it in `publisher(for:)`.
    /// What is found.
    associatedtype Results

    /// What is found for `text`: one value, or an error. Cancelled when nobody waits for it any more.
    func publisher(for text: String) -> AnyPublisher<Results, any Error>
  }

  extension PublishingSearchRepository {
    /// The first value for `text`.
    ///
    /// - Throws: What the publisher fails with; `UnansweredError` when it finishes without a value; `CancellationError`
    ///   when the task is cancelled.
    public func results(for text: String) async throws -> Results {
      if let results = try await publisher(for: text).firstElement() { return results }
      // Not both the same: what is cancelled changes no state, and who searched would wait for ever.
      try Task.checkCancellation()
      throw UnansweredError()
    }
  }

  extension SearchRepository where Self: Sendable {
    /// A publisher of what is found for `text`: one search for each subscriber, which its cancellation cancels.
    public func publisher(for text: String, on timeline: Timeline) -> TaskPublisher<Results, any Error> {
      TaskPublisher(on: timeline) { try await results(for: text) }
    }
  }
#endif
