/// The content codings of a body (RFC 9110, section 8.4).
///
/// Some servers declare a word that names no coding: a charset, `binary`, `none`, or the `aws-chunked` of an upload.
/// Others declare `compress` or the name of an archive format. All clients take such a body as it is.
extension HeaderFields {
  /// The content codings in lower case, in the order in which they were applied, without `identity` and words that
  /// name no coding.
  package var contentCodings: [String] {
    // Most responses have no content coding.
    guard fields.contains(where: { $0.name == "content-encoding" }) else { return [] }
    return declaredCodings.filter(Self.codings.contains)
  }

  /// Returns the reason that `body`, whose codings are undone, is still coded, to follow "sent"; nil if it is not, or if
  /// `Content-Encoding` has no word that is ignored.
  package func codingDefect(of body: some Collection<UInt8>) -> String? {
    let words = declaredCodings.filter { $0 != "identity" && !Self.codings.contains($0) }
    guard let word = words.first else { return nil }
    let isCoded =
      Self.signatures.contains { body.starts(with: $0) }
      || words.contains("aws-chunked") && Self.startsWithChunk(body)
    // 60 characters: longer than the name of any coding, and short enough for a message.
    return isCoded ? "a coded body with the unknown content coding '\(word.prefix(60))'" : nil
  }

  /// The members of `Content-Encoding` in lower case, without quotes and parameters.
  private var declaredCodings: [String] {
    FieldList("content-encoding", in: self).map { member in
      let quote = UInt8(ascii: "\"")
      let word = member.drop { $0 == quote }.prefix { $0 != UInt8(ascii: ";") && $0 != quote }
      return String(decoding: word.trimmed, as: UTF8.self).lowercased()
    }
  }

  /// The names that change a body: those of browsers, and those whose data has no signature.
  private static let codings: Set<String> = [
    "aes128gcm", "br", "brotli", "dcb", "dcz", "deflate", "exi", "gzip", "lzma", "sdch", "snappy", "x-gzip",
    "zlib", "zstd",
  ]

  /// The first bytes of data in gzip (also of `pack200-gzip`), zstd, xz, bzip2, compress and lz4.
  private static let signatures: [[UInt8]] = [
    [0x1F, 0x8B, 8], [0x28, 0xB5, 0x2F, 0xFD], [0xFD, 0x37, 0x7A, 0x58, 0x5A], Array("BZh".utf8),
    [0x1F, 0x9D],
    [0x04, 0x22, 0x4D, 0x18],
  ]

  /// Returns whether `body` starts with the head of a chunk of an upload to Amazon S3: the size in hexadecimal digits,
  /// then an extension or the end of the line.
  private static func startsWithChunk(_ body: some Collection<UInt8>) -> Bool {
    let rest = body.drop { UnicodeScalar($0).properties.isASCIIHexDigit }
    return rest.startIndex != body.startIndex
      && (rest.starts(with: ";chunk-signature=".utf8) || rest.starts(with: "\r\n".utf8))
  }
}
