/// The source of the results of a search. It need not be `Sendable`: it stays in the isolation of its model.
public protocol SearchRepository<Results> {
  /// The results of a search.
  associatedtype Results: Sendable

  /// Returns the results for `text`, which is not blank and has no leading or trailing whitespace.
  ///
  /// Called in the isolation of the model. Move long computations elsewhere, with `@concurrent`. It should
  /// end soon after a cancellation; its result is then ignored.
  ///
  /// - Throws: An error from which a ``UserFacingError`` is created. After a `CancellationError` without a
  ///   cancellation, the model returns to the previous results.
  func results(for text: String) async throws -> Results
}
