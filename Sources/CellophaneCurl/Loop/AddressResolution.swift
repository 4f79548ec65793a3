/// The checks and the cache lifetime of addresses. Tests, whose sockets are all on loopback, replace them.
struct AddressResolution: Sendable {
  /// Returns whether an address is on the public internet.
  var isPublic: @Sendable ([UInt8]) -> Bool = AddressPolicy.isPublic
  /// Returns whether a host has no address; see ``SystemResolver/lacksAddress(_:)``.
  var lacksAddress: @Sendable (_ host: String) -> Bool = SystemResolver.lacksAddress
  /// The time for which libcurl caches an address, in seconds. 60, its default.
  var lifetime = 60
  /// Called on the loop's thread before each lookup of libcurl; for tests.
  var onLookUp: @Sendable () -> Void = {}
}
