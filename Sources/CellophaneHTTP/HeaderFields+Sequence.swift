/// The fields in the order in which they were added.
extension HeaderFields: Sequence {
  /// The number of fields.
  public var count: Int { fields.count }
  /// The number of fields.
  public var underestimatedCount: Int { fields.count }

  /// Returns an iterator over the fields.
  public func makeIterator() -> IndexingIterator<[Field]> { fields.makeIterator() }
}

extension HeaderFields: CustomStringConvertible {
  /// The fields in one line, with an ellipsis for each credential: `accept: */*, authorization: …`.
  public var description: String { fields.map(\.description).joined(separator: ", ") }
}

extension HeaderFields.Field: CustomStringConvertible {
  /// The name and the value, or an ellipsis for a credential.
  public var description: String { "\(name): \(HeaderFields.isCredential(name) ? "…" : value)" }
}
