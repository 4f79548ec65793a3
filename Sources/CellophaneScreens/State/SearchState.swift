/// The state of a search.
public struct SearchState<Results> {
  /// The state of the results.
  public enum Phase {
    /// There is no search.
    case idle
    /// A search runs, or was replaced by another that waits for its delay. Carries the results of the
    /// previous search.
    case loading(previous: Results?)
    /// The search has results.
    case results(Results)
    /// The search failed. Carries the results of the previous search.
    case failed(UserFacingError, previous: Results?)
  }

  /// The text of the field.
  public internal(set) var text = ""
  /// The state of the results.
  public internal(set) var phase = Phase.idle
  /// True while the text waits for its delay. The displayed results belong to another text.
  public internal(set) var isWaiting = false

  /// The text of the current or waiting search, trimmed; nil without one, and after a cancellation.
  var query: String?
  /// The text of the results that are displayed or kept.
  var answered: String?

  /// Creates the state of an idle search.
  public init() {}

  /// The current results, or those kept from the previous search.
  public var results: Results? {
    switch phase {
    case .idle: nil
    case .loading(let previous), .failed(_, let previous): previous
    case .results(let results): results
    }
  }

  /// True while a search runs. Show a spinner then.
  public var isLoading: Bool {
    if case .loading = phase { true } else { false }
  }

  /// The error of the last search; nil if it did not fail.
  public var failure: UserFacingError? {
    if case .failed(let failure, _) = phase { failure } else { nil }
  }
}

extension SearchState.Phase: Sendable where Results: Sendable {}
extension SearchState.Phase: Equatable where Results: Equatable {}
extension SearchState.Phase: Codable where Results: Codable {}
extension SearchState: Sendable where Results: Sendable {}
extension SearchState: Equatable where Results: Equatable {}
extension SearchState: Codable where Results: Codable {}
