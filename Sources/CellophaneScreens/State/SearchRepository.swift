/// Where the results of a search come from. Need not be `Sendable`: it stays in the isolation of its model.
public protocol SearchRepository<Results> {
  /// What is found.
  associatedtype Results: Sendable

  /// What is found for `text`, which is not blank and has no blanks around it.
  ///
  /// Called in the isolation of the model; work that takes long belongs elsewhere, `@concurrent`. It should end soon when it is
  /// cancelled, with any error or result, which nobody sees.
  ///
  /// - Throws: What a ``UserFacingError`` is made of. One that gives up by itself, with a `CancellationError`, changes nothing:
  ///   the model goes back to the results that it had before.
  func results(for text: String) async throws -> Results
}
