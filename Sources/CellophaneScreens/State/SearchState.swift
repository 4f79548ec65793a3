/// What a search shows.
public struct SearchState<Results> {
  /// What is drawn for the results.
  public enum Phase {
    /// Nothing is searched for.
    case idle
    /// A search runs, or was interrupted by another that waits for its time; with the results of the search before.
    case loading(previous: Results?)
    /// What was found.
    case results(Results)
    /// The search failed; with the results of the search before.
    case failed(UserFacingError, previous: Results?)
  }

  /// The text as it is in the field.
  public internal(set) var text = ""
  /// What is drawn for the results.
  public internal(set) var phase = Phase.idle
  /// True while the text waits for its time to be asked for: what is drawn is of another.
  public internal(set) var isWaiting = false

  /// What is or will be asked for, without blanks around it; nil when nothing is, and once that was cancelled.
  var query: String?
  /// What the results that are shown or kept were asked with.
  var answered: String?

  /// Nothing is searched for.
  public init() {}

  /// The results that are shown, or kept from before.
  public var results: Results? {
    switch phase {
    case .idle: nil
    case .loading(let previous), .failed(_, let previous): previous
    case .results(let results): results
    }
  }

  /// True while a spinner turns.
  public var isLoading: Bool {
    if case .loading = phase { true } else { false }
  }

  /// Why the last search failed; nil when it did not.
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
