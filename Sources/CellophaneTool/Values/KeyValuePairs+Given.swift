extension KeyValuePairs<String, Any?> {
  /// The keys with a value.
  var given: [String] { filter { $0.value != nil }.map(\.key) }
}
