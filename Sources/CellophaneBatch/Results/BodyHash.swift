internal import CGnuTLS
internal import Cellophane

/// A hash function for bodies.
package enum BodyHash: String, CaseIterable, Sendable {
  case xxh3 = "xxh3-128"
  case md5
  case sha256
  case sha512

  /// The number of hexadecimal digits of a hash.
  var digits: Int {
    switch self {
    case .xxh3, .md5: 32
    case .sha256: 64
    case .sha512: 128
    }
  }

  /// Returns the hash of `bytes` in lower-case hexadecimal digits.
  ///
  /// - Throws: ``LoadError/Kind/unsupported`` if the system forbids the function, as FIPS mode forbids MD5.
  func hexadecimal(_ bytes: [UInt8]) throws(LoadError) -> String {
    let algorithm: gnutls_digest_algorithm_t
    switch self {
    case .xxh3: return XXH3.hexadecimal(bytes)
    case .md5: algorithm = GNUTLS_DIG_MD5
    case .sha256: algorithm = GNUTLS_DIG_SHA256
    case .sha512: algorithm = GNUTLS_DIG_SHA512
    }
    var hash = [UInt8](repeating: 0, count: digits / 2)
    let code = unsafe bytes.withUnsafeBytes { input in
      unsafe hash.withUnsafeMutableBytes { output in
        unsafe gnutls_hash_fast(algorithm, input.baseAddress, input.count, output.baseAddress)
      }
    }
    guard code == 0 else {
      throw LoadError(.unsupported, "this system does not allow \(rawValue); choose another hash")
    }
    return hash.map { byte in
      let digits = String(byte, radix: 16)
      return digits.utf8.count == 1 ? "0" + digits : digits
    }.joined()
  }
}

/// A column with the expected hash of each body.
package struct HashColumn: Sendable {
  let hash: BodyHash
  package let name: String

  package init(_ hash: BodyHash, in name: String) { (self.hash, self.name) = (hash, name) }

  /// Returns the expected hash of a record in lower case.
  ///
  /// - Parameter text: Returns the text of a column.
  /// - Throws: ``LoadError/Kind/invalidRequest`` if the column has no such hash.
  func expected(_ text: (String) -> String?) throws(LoadError) -> String {
    let text = (text(name) ?? "").filter { $0 != " " && $0 != "\t" }
    guard text.utf8.count == hash.digits, text.allSatisfy({ $0.isASCII && $0.isHexDigit }) else {
      let cut = text.count > 200 ? text.prefix(200) + "..." : text[...]
      throw LoadError(
        .invalidRequest,
        "the column \(name) has no \(hash.rawValue) hash of \(hash.digits) hexadecimal digits: '\(cut)'")
    }
    return text.lowercased()
  }

  /// Compares the hash of a body with that of `record`.
  ///
  /// - Throws: ``LoadError/Kind/corrupt`` if they differ.
  func check(_ body: LoadedBytes, of record: ListRecord) throws(LoadError) {
    let (expected, actual) = (try expected(record.text), try hash.hexadecimal(body.bytes))
    guard expected != actual else { return }
    let advice = body.source == .disk ? "; the response was cached, use --reload to request it again" : ""
    throw LoadError(
      .corrupt,
      "the body of \(body.bytes.count) bytes has the \(hash.rawValue) hash \(actual), not \(expected)\(advice)"
    )
  }
}
