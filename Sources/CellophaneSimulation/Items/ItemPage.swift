/// A page of an origin's items, as it answers with one: `/items?q=amber&page=2`.
public struct ItemPage: Sendable, Hashable, Codable {
  /// One item.
  public struct Item: Sendable, Hashable, Codable {
    /// Its number in the whole list, which its picture carries in its pixels.
    public let row: Int
    /// What it is called.
    public let title: String
    /// The section of the whole list that it is in.
    public let section: String
    /// The path of its picture.
    public let picture: String
  }

  /// What was asked for; empty for everything.
  public let query: String
  /// The number of this page, from 1.
  public let page: Int
  /// How many pages there are; 0 when nothing was found.
  public let pages: Int
  /// How many items were found.
  public let total: Int
  /// Those of this page, in the order of the list.
  public let items: [Item]
}
