/// The source of the pages of a list. It need not be `Sendable`: it stays in the isolation of its model.
public protocol PagingSource<Item, Cursor> {
  /// One entry of the list.
  associatedtype Item: Sendable
  /// The position of a page: a number, an offset, or a token of the origin.
  associatedtype Cursor: Sendable

  /// Returns the page at `cursor`, or the first page for nil.
  ///
  /// Called in the isolation of the model. Move long computations elsewhere, with `@concurrent`. It should
  /// end soon after a cancellation; its result is then ignored.
  ///
  /// - Throws: An error from which a ``UserFacingError`` is created. After a `CancellationError` without a
  ///   cancellation, the page can be requested again.
  func page(at cursor: Cursor?) async throws -> Page<Item, Cursor>
}

/// Consecutive entries of a list.
public struct Page<Item, Cursor> {
  /// The entries, in order.
  public let items: [Item]
  /// The position of the next page; nil for the last page.
  public let next: Cursor?

  /// Creates a page.
  public init(_ items: [Item], next: Cursor?) {
    self.items = items
    self.next = next
  }
}

extension Page: Sendable where Item: Sendable, Cursor: Sendable {}
extension Page: Equatable where Item: Equatable, Cursor: Equatable {}
extension Page: Codable where Item: Codable, Cursor: Codable {}
