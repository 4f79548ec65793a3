/// The hosts and addresses that a transport may connect to.
///
/// ```swift
/// let rules = AddressRules.publicOnly.allowing("10.1.0.0/16", "fd12:3456::/32")
/// ```
///
/// Addresses are judged at each connection, by the address of the socket. Neither the spelling of a host nor a name that
/// resolves to another address than before makes a difference.
public struct AddressRules: Hashable, Sendable {
  /// A range of addresses: `10.1.0.0/16`, `fd00::/8`, or one address.
  public struct Network: Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
    private let address: [UInt8]
    private let length: Int

    /// Creates the range that `text` names.
    ///
    /// - Throws: ``LoadError/Kind/invalidRequest`` if the text is malformed, or has bits after the prefix.
    public init(_ text: String) throws(LoadError) {
      let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
      guard let address = parts.first.flatMap({ AddressPolicy.address(String($0)) }),
        let length = parts.count == 1 ? address.count * 8 : Self.number(parts[1]),
        length <= address.count * 8
      else {
        throw LoadError(
          .invalidRequest, "'\(text)' is not a range of addresses; write it like 10.1.0.0/16 or fd00::/8")
      }
      guard Self.masked(address, to: length) == address else {
        throw LoadError(.invalidRequest, "the range '\(text)' has bits after its prefix; set them to 0")
      }
      (self.address, self.length) = (address, length)
    }

    /// Creates the range that the literal names, which must name one.
    public init(stringLiteral text: String) {
      do throws(LoadError) { try self.init(text) } catch { preconditionFailure(error.message) }
    }

    /// The first address in hexadecimal digits, and the length of the prefix.
    public var description: String {
      address.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() + "/\(length)"
    }

    /// Returns whether the range contains `address`.
    func contains(_ address: [UInt8]) -> Bool {
      address.count == self.address.count && Self.masked(address, to: length) == self.address
    }

    private static func number(_ text: Substring) -> Int? {
      text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } ? Int(text) : nil
    }

    /// Returns `address` with all bits after the first `length` set to 0.
    private static func masked(_ address: [UInt8], to length: Int) -> [UInt8] {
      address.enumerated().map { index, byte in
        let bits = min(8, max(0, length - index * 8))
        return byte & UInt8(truncatingIfNeeded: 0xFF00 >> bits)
      }
    }
  }

  /// All hosts and addresses.
  public static let any = AddressRules(isPublicOnly: false)
  /// The addresses of the public internet. Proxies are not used, because the address behind a proxy is unknown.
  public static let publicOnly = AddressRules(isPublicOnly: true)

  /// Whether addresses are judged at all.
  let isPublicOnly: Bool
  private var networks: Set<Network> = []
  /// The permitted hosts; nil for all.
  private var hosts: Set<String>?

  private init(isPublicOnly: Bool) { self.isPublicOnly = isPublicOnly }

  /// Returns the rules that also permit the addresses of `networks`, such as those of the origins of a company.
  public func allowing(_ networks: Network...) -> AddressRules {
    var rules = self
    rules.networks.formUnion(networks)
    return rules
  }

  /// Returns the rules that permit only these hosts, also as targets of redirects. `*.a.example` permits every host below
  /// `a.example`, but not `a.example`. Names in other scripts are given in their ASCII form, `xn--…`.
  public func onlyHosts(_ hosts: String...) -> AddressRules {
    var rules = self
    let names = Set(hosts.map { $0.lowercased() })
    rules.hosts = self.hosts.map { $0.intersection(names) } ?? names
    return rules
  }

  /// Returns whether a connection to `address` is permitted: 4 or 16 bytes in network order.
  ///
  /// - Parameter isPublic: Decides whether an address is on the public internet.
  func permit(_ address: [UInt8], isPublic: ([UInt8]) -> Bool) -> Bool {
    if !isPublicOnly || isPublic(address) { return true }
    let inner = AddressPolicy.mapped(address) ?? address
    return networks.contains { $0.contains(inner) }
  }

  /// Whether only some hosts are permitted.
  var areLimitedToHosts: Bool { hosts != nil }

  /// Checks that requests to `origin` are permitted.
  ///
  /// - Throws: ``LoadError/Kind/refused`` if its host is not on the list.
  func check(_ origin: Origin) throws(LoadError) {
    guard let hosts, origin.scheme != "file", !hosts.contains(origin.host) else { return }
    var rest = origin.host[...]
    while let dot = rest.firstIndex(of: ".") {
      if hosts.contains("*" + rest[dot...]) { return }
      rest = rest[rest.index(after: dot)...]
    }
    throw LoadError(.refused, "the configuration does not permit requests to the host \(origin.host)")
  }

  /// The name of the rules in the name of a cache partition; nil for ``any``.
  var partition: String? {
    var words = isPublicOnly ? ["public"] : []
    if isPublicOnly { words += networks.map(\.description).sorted() }
    if let hosts { words.append("hosts " + hosts.sorted().joined(separator: ",")) }
    return words.isEmpty ? nil : words.joined(separator: " ")
  }
}
