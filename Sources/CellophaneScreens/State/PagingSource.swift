/// Where the pages of a list come from. Need not be `Sendable`: it stays in the isolation of its model.
public protocol PagingSource<Item, Cursor> {
  /// One entry of the list.
  associatedtype Item: Sendable
  /// What asks for a page: a number, an offset, a token of the origin.
  associatedtype Cursor: Sendable

  /// The page at `cursor`; the first for nil.
  ///
  /// Called in the isolation of the model; work that takes long belongs elsewhere, `@concurrent`. It should end soon when it
  /// is cancelled, with any error or result, which nobody sees.
  ///
  /// - Throws: What a ``UserFacingError`` is made of. One that gives up by itself, with a `CancellationError`, leaves the page
  ///   to be asked for again.
  func page(at cursor: Cursor?) async throws -> Page<Item, Cursor>
}

/// Some consecutive entries of a list.
public struct Page<Item, Cursor> {
  /// The entries, in their order.
  public let items: [Item]
  /// What asks for the page behind it; nil when this is the last.
  public let next: Cursor?

  /// A page.
  public init(_ items: [Item], next: Cursor?) {
    self.items = items
    self.next = next
  }
}

extension Page: Sendable where Item: Sendable, Cursor: Sendable {}
extension Page: Equatable where Item: Equatable, Cursor: Equatable {}
extension Page: Codable where Item: Codable, Cursor: Codable {}
