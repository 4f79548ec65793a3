/// What is known of names and their addresses, and for how long. Tests, whose sockets all are on loopback, have others.
struct AddressBook: Sendable {
  /// Whether an address is on the public internet.
  var isPublic: @Sendable ([UInt8]) -> Bool = AddressPolicy.isPublic
  /// Whether a host has no address; see ``SystemResolver/lacksAddress(_:)``.
  var lacksAddress: @Sendable (_ host: String) -> Bool = SystemResolver.lacksAddress
  /// How long libcurl keeps an address, in seconds. 60, its own default.
  var lifetime = 60
  /// Told of each address that libcurl does not have, on the loop's thread.
  var onLookUp: @Sendable () -> Void = {}
}
