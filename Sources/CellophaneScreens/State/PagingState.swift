/// The state of a list of pages.
public struct PagingState<Item, Cursor> {
  /// The state after the last item.
  public enum End: Hashable, Sendable, Codable {
    /// There may be another page. No row has come near it.
    case more
    /// A page is loading.
    case loading
    /// A page failed.
    case failed(UserFacingError)
    /// There are no more pages.
    case last
  }

  /// The state of the refresh.
  public enum Refresh: Hashable, Sendable, Codable {
    /// No refresh runs.
    case idle
    /// The first page is being reloaded.
    case running
    /// The refresh failed.
    case failed(UserFacingError)
  }

  /// The items of all pages.
  public internal(set) var items: [Item] = []
  /// The state after the last item.
  public internal(set) var end = End.more
  /// The state of the refresh.
  public internal(set) var refresh = Refresh.idle
  /// The number of times the first page arrived. If it changes, the same rows may have other items.
  public internal(set) var generation = 0

  /// The position of the next page; nil for the first.
  var next: Cursor?
  /// The largest number of items that was wanted.
  var reached = 0
  /// True until another page may start.
  var isResting = false

  /// Creates a state without items.
  public init() {}

  /// Creates the state of a complete list.
  init(all items: [Item]) {
    self.items = items
    end = .last
  }
}

extension PagingState: Sendable where Item: Sendable, Cursor: Sendable {}
extension PagingState: Equatable where Item: Equatable, Cursor: Equatable {}
extension PagingState: Codable where Item: Codable, Cursor: Codable {}
