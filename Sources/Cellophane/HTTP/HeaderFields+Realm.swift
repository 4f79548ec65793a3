extension HeaderFields {
  /// What a key on disk calls the realm of a transport. No request has a field of this name.
  static let realmName = "realm:"
}
