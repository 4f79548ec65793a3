extension HeaderFields {
  /// What a key on disk calls the cache partition of a transport. No request has a field of this name.
  static let partitionName = "realm:"
}
