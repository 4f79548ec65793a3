/// A page of an origin's items: the response to `/items?q=amber&page=2`.
package struct ItemPage: Sendable, Hashable, Codable {
  /// An item of a list.
  package struct Item: Sendable, Hashable, Codable {
    /// The number of its row in the list. The pixels of its image encode it.
    package let row: Int
    /// The title.
    package let title: String
    /// The title of its section.
    package let section: String
    /// The path of its image.
    package let picture: String
  }

  /// The search text; empty for all items.
  package let query: String
  /// The number of this page, from 1.
  package let page: Int
  /// The number of pages; 0 if nothing was found.
  package let pages: Int
  /// The number of items found.
  package let total: Int
  /// The items of this page, in the order of the list.
  package let items: [Item]
}
