extension KeyValuePairs<String, Any?> {
  /// The names of those that have a value.
  var given: [String] { filter { $0.value != nil }.map(\.key) }
}
