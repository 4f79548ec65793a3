/// A page of an origin's items: the response to `/items?q=amber&page=2`.
public struct ItemPage: Sendable, Hashable, Codable {
  /// An item of a list.
  public struct Item: Sendable, Hashable, Codable {
    /// The number of its row in the list. The pixels of its image encode it.
    public let row: Int
    /// The title.
    public let title: String
    /// The title of its section.
    public let section: String
    /// The path of its image.
    public let picture: String
  }

  /// The search text; empty for all items.
  public let query: String
  /// The number of this page, from 1.
  public let page: Int
  /// The number of pages; 0 if nothing was found.
  public let pages: Int
  /// The number of items found.
  public let total: Int
  /// The items of this page, in the order of the list.
  public let items: [Item]
}
