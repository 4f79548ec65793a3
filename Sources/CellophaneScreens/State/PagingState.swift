/// What a list of pages shows.
public struct PagingState<Item, Cursor> {
  /// What is behind the last item.
  public enum End: Hashable, Sendable, Codable {
    /// Perhaps another page, which nobody has come near.
    case more
    /// A page that is loading.
    case loading
    /// A page that could not be loaded.
    case failed(UserFacingError)
    /// Nothing.
    case last
  }

  /// What becomes of the wish to begin anew.
  public enum Refresh: Hashable, Sendable, Codable {
    /// Nothing runs.
    case idle
    /// The first page is loading anew.
    case running
    /// It could not be loaded.
    case failed(UserFacingError)
  }

  /// The items of all pages.
  public internal(set) var items: [Item] = []
  /// What is behind the last item.
  public internal(set) var end = End.more
  /// What becomes of the wish to begin anew.
  public internal(set) var refresh = Refresh.idle
  /// How often the first page came: the same rows may mean other items when this is another.
  public internal(set) var generation = 0

  /// What asks for the next page; nil for the first.
  var next: Cursor?
  /// How many items have been wanted.
  var reached = 0
  /// True until a page may begin again.
  var isResting = false

  /// Nothing is loaded.
  public init() {}

  /// All of a list is there.
  init(all items: [Item]) {
    self.items = items
    end = .last
  }
}

extension PagingState: Sendable where Item: Sendable, Cursor: Sendable {}
extension PagingState: Equatable where Item: Equatable, Cursor: Equatable {}
extension PagingState: Codable where Item: Codable, Cursor: Codable {}
