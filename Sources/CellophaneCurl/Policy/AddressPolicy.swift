#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif

/// The check whether an address belongs to the public internet. Pure.
///
/// Not public are the ranges that IANA's special-purpose registries for IPv4 and IPv6 mark as not globally
/// reachable, multicast, and public-looking addresses that a virtual machine's platform answers itself. An
/// IPv6 address with an embedded IPv4 address (mapped, NAT64, 6to4) is as public as the embedded one, and an ISATAP
/// address is public only if both are (RFC 5214). Compatible, Teredo and local NAT64 addresses (RFC 8215) are never
/// public.
enum AddressPolicy {
  /// Returns whether `address`, 4 or 16 bytes in network order, is public; false for other lengths.
  static func isPublic(_ address: [UInt8]) -> Bool {
    switch address.count {
    case 4: isPublicIPv4(address[...])
    case 16: isPublicIPv6(address)
    default: false
    }
  }

  private static func isPublicIPv4(_ bytes: ArraySlice<UInt8>) -> Bool {
    let value = bytes.reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    return !blocksIPv4.contains { value >> (32 - $0.length) == $0.network >> (32 - $0.length) }
  }

  /// Returns the IPv4 address that `address` maps into IPv6; nil for another address.
  static func mapped(_ address: [UInt8]) -> [UInt8]? {
    let isMapped =
      address.count == 16 && address[..<10].allSatisfy { $0 == 0 } && address[10] == 0xFF
      && address[11] == 0xFF
    return isMapped ? Array(address[12...]) : nil
  }

  /// Returns the bytes of the address `text`, of version 4 or 6; nil for another text.
  static func address(_ text: String) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: 16)
    if unsafe inet_pton(AF_INET, text, &bytes) == 1 { return Array(bytes[..<4]) }
    return unsafe inet_pton(AF_INET6, text, &bytes) == 1 ? bytes : nil
  }

  private static func isPublicIPv6(_ bytes: [UInt8]) -> Bool {
    // Before 6to4, whose addresses may have any interface identifier.
    let isISATAP = bytes[8] & 0xFD == 0 && bytes[9...11].elementsEqual([0x00, 0x5E, 0xFE])
    if isISATAP, !isPublicIPv4(bytes[12...]) { return false }
    let isMapped = mapped(bytes) != nil
    let isNAT64 = bytes[..<4].elementsEqual([0x00, 0x64, 0xFF, 0x9B]) && bytes[4..<12].allSatisfy { $0 == 0 }
    if isMapped || isNAT64 { return isPublicIPv4(bytes[12...]) }
    if bytes[0] == 0x20, bytes[1] == 0x02 { return isPublicIPv4(bytes[2..<6]) }
    // Global unicast is 2000::/3. Not public within it: 2001::/23 (Teredo, benchmarking, ORCHID), and the
    // documentation ranges 2001:db8::/32 and 3fff::/20.
    guard bytes[0] & 0xE0 == 0x20 else { return false }
    if bytes[0] == 0x20, bytes[1] == 0x01, bytes[2] & 0xFE == 0 { return false }
    if bytes[0] == 0x20, bytes[1] == 0x01, bytes[2] == 0x0D, bytes[3] == 0xB8 { return false }
    return !(bytes[0] == 0x3F && bytes[1] == 0xFF && bytes[2] & 0xF0 == 0)
  }

  private static let blocksIPv4: [(network: UInt32, length: UInt32)] = [
    (0x0000_0000, 8),  // 0.0.0.0/8, this network
    (0x0A00_0000, 8),  // 10.0.0.0/8, private
    (0x6440_0000, 10),  // 100.64.0.0/10, carrier-grade NAT
    (0x7F00_0000, 8),  // 127.0.0.0/8, loopback
    (0xA9FE_0000, 16),  // 169.254.0.0/16, link-local; 169.254.169.254 answers cloud metadata
    // 168.63.129.16: the address of the Azure platform (DNS, health probes, certificates, agent) in every
    // virtual machine: learn.microsoft.com/azure/virtual-network/what-is-ip-address-168-63-129-16. Other
    // clouds use addresses of these ranges.
    (0xA83F_8110, 32),
    (0xAC10_0000, 12),  // 172.16.0.0/12, private
    (0xC000_0000, 24),  // 192.0.0.0/24, protocol assignments
    (0xC000_0200, 24),  // 192.0.2.0/24, documentation
    (0xC058_6300, 24),  // 192.88.99.0/24, former 6to4 relays
    (0xC0A8_0000, 16),  // 192.168.0.0/16, private
    (0xC612_0000, 15),  // 198.18.0.0/15, benchmarking
    (0xC633_6400, 24),  // 198.51.100.0/24, documentation
    (0xCB00_7100, 24),  // 203.0.113.0/24, documentation
    (0xE000_0000, 3),  // 224.0.0.0/4 multicast, 240.0.0.0/4 reserved and broadcast
  ]
}
