internal import Testing

@testable internal import CellophaneCurl

@Suite struct AddressPolicyTests {
  @Test(
    arguments: [
      ([8, 8, 8, 8], true), ([93, 184, 215, 14], true), ([1, 1, 1, 1], true), ([223, 255, 255, 255], true),
      ([0, 0, 0, 0], false), ([10, 0, 0, 1], false), ([10, 255, 255, 255], false), ([11, 0, 0, 0], true),
      ([100, 63, 255, 255], true), ([100, 64, 0, 0], false), ([100, 127, 255, 255], false),
      ([100, 128, 0, 0], true), ([127, 0, 0, 1], false), ([127, 255, 0, 1], false),
      ([168, 63, 129, 15], true), ([168, 63, 129, 16], false), ([168, 63, 129, 17], true),
      ([169, 254, 169, 254], false), ([169, 253, 0, 1], true), ([172, 15, 255, 255], true),
      ([172, 16, 0, 0], false), ([172, 31, 255, 255], false), ([172, 32, 0, 0], true),
      ([192, 0, 0, 8], false),
      ([192, 0, 2, 1], false), ([192, 88, 99, 1], false), ([192, 168, 1, 1], false),
      ([192, 169, 0, 0], true),
      ([198, 17, 255, 255], true), ([198, 18, 0, 0], false), ([198, 19, 255, 255], false),
      ([198, 51, 100, 7], false), ([203, 0, 113, 7], false), ([224, 0, 0, 1], false),
      ([239, 1, 2, 3], false),
      ([240, 0, 0, 1], false), ([255, 255, 255, 255], false),
    ] as [([UInt8], Bool)])
  func `IPv4 addresses of special ranges are not public, also when embedded in IPv6`(
    address: [UInt8], isPublic: Bool
  ) {
    #expect(AddressPolicy.isPublic(address) == isPublic)
    let mapped = [UInt8](repeating: 0, count: 10) + [0xFF, 0xFF] + address
    #expect(AddressPolicy.isPublic(mapped) == isPublic, "mapped into IPv6")
    let translated = [0x00, 0x64, 0xFF, 0x9B] + [UInt8](repeating: 0, count: 8) + address
    #expect(AddressPolicy.isPublic(translated) == isPublic, "through NAT64")
    let tunneled = [0x20, 0x02] + address + [UInt8](repeating: 0, count: 10)
    #expect(AddressPolicy.isPublic(tunneled) == isPublic, "through 6to4")
    let compatible = [UInt8](repeating: 0, count: 12) + address
    #expect(!AddressPolicy.isPublic(compatible), "IPv4-compatible, obsolete")
  }

  /// The arguments are the first four bytes of an IPv6 address that ends with 1.
  @Test(
    arguments: [
      ([0x20, 0x01, 0x48, 0x60], true), ([0x26, 0x06, 0x28, 0x00], true), ([0x2A, 0x00, 0x14, 0x50], true),
      ([0, 0, 0, 0], false), ([0x01, 0x00, 0, 0], false), ([0xFC, 0x00, 0, 0], false),
      ([0xFD, 0x12, 0x34, 0x56], false), ([0xFE, 0x80, 0, 0], false), ([0xFE, 0xC0, 0, 0], false),
      ([0xFF, 0x02, 0, 0], false), ([0x20, 0x01, 0x0D, 0xB8], false), ([0x20, 0x01, 0, 0], false),
      ([0x20, 0x01, 0x01, 0xFF], false), ([0x3F, 0xFF, 0x0F, 0xFF], false), ([0x3F, 0xFF, 0x10, 0], true),
      ([0x40, 0, 0, 0], false),
    ] as [([UInt8], Bool)])
  func `IPv6 addresses of special ranges are not public`(prefix: [UInt8], isPublic: Bool) {
    let address = prefix + [UInt8](repeating: 0, count: 11) + [1]
    #expect(AddressPolicy.isPublic(address) == isPublic)
  }

  @Test(arguments: [0, 1, 3, 5, 15, 17])
  func `an address of another length is not public`(count: Int) {
    #expect(!AddressPolicy.isPublic([UInt8](repeating: 8, count: count)))
  }
}
