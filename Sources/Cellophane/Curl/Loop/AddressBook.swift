/// What is held of names and addresses. Tests, whose sockets all are on loopback, hold something else.
struct AddressBook: Sendable {
  /// Whether an address is on the public internet.
  var isPublic: @Sendable ([UInt8]) -> Bool = AddressPolicy.isPublic
  /// Whether a host has no address; see ``SystemResolver/lacksAddress(_:)``.
  var lacksAddress: @Sendable (_ host: String) -> Bool = SystemResolver.lacksAddress
  /// How long libcurl keeps an address, in seconds. 60, its own default.
  var lifetime = 60
  /// Called on the loop's thread whenever libcurl looks a host up; for tests.
  var onLookUp: @Sendable () -> Void = {}
}
