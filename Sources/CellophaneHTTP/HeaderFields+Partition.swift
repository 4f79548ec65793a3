extension HeaderFields {
  /// The name under which a response key on disk stores the cache partition of a transport. No request has a
  /// field with this name, because `:` is not allowed in a field name.
  package static let partitionName = "realm:"
}
