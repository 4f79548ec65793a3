/// The verified beginning of a body, from which a transfer can resume (RFC 9110, sections 13.1.5 and 14).
///
/// It exists only for a 200 with a strong entity tag, without redirects, from an origin that accepts ranges.
/// A tag identifies the same bytes only within one resource and one content coding.
package struct Resumption: Sendable {
  /// The identity of one version of a body within a load.
  package final class Version: Sendable {}

  /// Content-coded bytes as received.
  package struct Coded: Sendable {
    let coding: ContentDecoder.Coding
    let bytes: [UInt8]

    /// True if the end of the stream verifies the content. Raw deflate (RFC 1951) has no checksum.
    var isChecked: Bool { coding == .gzip || bytes.first.map { $0 & 0xF == 8 } ?? true }
  }

  /// The decoded bytes from the start of the body.
  package let bytes: [UInt8]
  /// The coded bytes that `bytes` were decoded from, which ranges refer to; nil without a content coding.
  package let coded: Coded?
  /// The length of the complete body before content decoding. Nil until the origin states it, which it may do
  /// only in a partial response.
  let total: Int?
  /// The maximum size of the complete body after content decoding.
  let limit: Int
  /// The version of the body that the bytes belong to.
  let version: Version
  /// True if the origin was asked to resume and did not. The bytes may be valid, but the next request asks
  /// for the complete body.
  package var isRefused = false
  private let tag: EntityTag
  private let headers: HeaderFields
  private let askedAt: Int64

  /// Creates the beginning from a body that was requested at `askedAt` (seconds since 1970). Nil if it cannot
  /// be resumed, or if the complete body would exceed `limit`.
  package init?(_ arriving: StreamingBody, limit: Int, askedAt: Int64) {
    let (head, bytes, coded, version) = arriving.snapshot
    guard let head, let version else { return nil }
    if let beginning = arriving.resumption, beginning.version === version {
      self.init(
        bytes: beginning.bytes + bytes,
        coded: beginning.coded.map { Coded(coding: $0.coding, bytes: $0.bytes + (coded ?? [])) },
        total: beginning.totalLength(with: head), limit: limit,
        headers: beginning.updated(beginning.headers, with: head),
        version: version, askedAt: beginning.askedAt)
    } else {
      let length = head.headers["content-length"]
      let total = length.flatMap { ContentRange.number($0.utf8) }
      guard Self.promisesRanges(head), (length == nil) == (total == nil) else { return nil }
      let coding = Self.coding(of: head)
      guard coding != nil || head.headers.contentCodings.isEmpty else { return nil }
      self.init(
        bytes: bytes, coded: coding.map { Coded(coding: $0, bytes: coded ?? []) }, total: total, limit: limit,
        headers: head.headers, version: version, askedAt: askedAt)
    }
  }

  /// Creates the beginning from a stored prefix. Nil if it cannot be resumed, or if the complete body would
  /// exceed `limit`.
  ///
  /// - Complexity: Linear in the decoded size.
  package init?(_ stored: StoredPrefix, limit: Int) {
    guard stored.status == 200 else { return nil }
    var (bytes, coded) = (stored.bytes, Coded?.none)
    let codings = stored.headers.contentCodings
    if !codings.isEmpty {
      guard codings.count == 1, let coding = ContentDecoder.Coding(named: codings[0]),
        let decoded = Coded(coding: coding, bytes: bytes).decoded(limit: limit)
      else { return nil }
      (bytes, coded) = (decoded, Coded(coding: coding, bytes: bytes))
    }
    self.init(
      bytes: bytes, coded: coded, total: stored.total, limit: limit, headers: stored.headers,
      version: Version(), askedAt: stored.storedAt)
  }

  private init?(
    bytes: [UInt8], coded: Coded?, total: Int?, limit: Int, headers: HeaderFields, version: Version,
    askedAt: Int64
  ) {
    let count = coded?.bytes.count ?? bytes.count
    let maxCount = coded == nil ? limit : TransferLimits.mostReceived(for: limit)
    guard count > 0, coded?.isChecked ?? true, count < total ?? .max, total ?? count <= maxCount,
      bytes.count <= limit,
      let tag = EntityTag(onlyStrongIn: headers)
    else { return nil }
    (self.bytes, self.coded, self.total, self.limit) = (bytes, coded, total, limit)
    (self.version, self.tag, self.headers, self.askedAt) = (version, tag, headers, askedAt)
  }

  /// Returns whether a response head promises that the origin accepts byte ranges for its body.
  private static func promisesRanges(_ head: TransportResponse) -> Bool {
    let units = FieldList("accept-ranges", in: head.headers)
    return head.status == 200 && head.redirects.isEmpty && EntityTag(onlyStrongIn: head.headers) != nil
      && units.contains { String(decoding: $0, as: UTF8.self).lowercased() == "bytes" }
  }

  /// Returns the content coding of a body that can be resumed within that coding, or nil.
  static func coding(of head: TransportResponse) -> ContentDecoder.Coding? {
    let codings = head.headers.contentCodings
    guard codings.count == 1, promisesRanges(head) else { return nil }
    return ContentDecoder.Coding(named: codings[0])
  }

  /// Returns a decoder that has read the beginning. Nil without a content coding, or if decoding gives other
  /// bytes.
  func decoder() -> ContentDecoder? {
    guard let coded, let decoder = ContentDecoder(coded.coding) else { return nil }
    var offset = 0
    let outcome = decoder.feed(coded.bytes.span) { piece in
      let isSame = unsafe piece.withUnsafeBufferPointer { unsafe bytes[offset...].starts(with: $0) }
      offset += isSame ? piece.count : 0
      return isSame
    }
    return outcome == .consumed && offset == bytes.count ? decoder : nil
  }

  /// The number of bytes that are not requested again.
  package var count: Int { coded?.bytes.count ?? bytes.count }

  /// The bytes that it takes in memory.
  package var memory: Int { bytes.count + (coded?.bytes.count ?? 0) }

  /// Returns the fields that, added to `headers`, request the rest if the version is unchanged. Unless `headers` has an
  /// `Accept-Encoding`, they ask for the same content coding, or for none: the response then has exactly the missing
  /// bytes.
  package func fields(with headers: HeaderFields) -> HeaderFields {
    var fields: HeaderFields = ["range": "bytes=\(count)-", "if-range": tag.text]
    if headers["accept-encoding"] == nil {
      fields.append("accept-encoding", coded?.coding.rawValue ?? "identity")
    }
    return fields
  }

  /// Returns whether the response with this head has exactly the rest of the same version.
  func isContinued(by head: TransportResponse) -> Bool { totalLength(with: head) != nil }

  /// Returns the length of the complete body if `head` has the rest of the same version; otherwise nil.
  func totalLength(with head: TransportResponse) -> Int? {
    let ranges = head.headers.values(of: "content-range")
    let codings = head.headers.contentCodings
    guard head.status == 206, head.redirects.isEmpty, head.headers.values(of: "etag") == [tag.text],
      // A partial response may omit the content coding (RFC 9110, section 15.3.7).
      codings.isEmpty || coded != nil && codings.map(ContentDecoder.Coding.init(named:)) == [coded?.coding],
      ranges.count == 1, let part = ContentRange(ranges[0]), part.first == count,
      let totalLength = part.total,
      part.last == totalLength - 1, totalLength == total ?? totalLength,
      totalLength <= (coded == nil ? limit : TransferLimits.mostReceived(for: limit))
    else { return nil }
    return totalLength
  }

  /// Returns the complete response with the fields of both parts (RFC 9111, section 3.4). Nil unless `part`
  /// is the rest.
  ///
  /// - Parameter received: The size of `part` before content decoding.
  func joined(with part: TransportResponse, received: Int, askedAt: Int64) -> StoredResponse? {
    guard let totalLength = totalLength(with: part), totalLength == count + received else { return nil }
    var fields = headers.storable
    // Both fields describe the message that they were received with.
    fields["age"] = nil
    fields["date"] = nil
    return StoredResponse(
      status: 200, headers: updated(fields, with: part), body: bytes + part.body, storedAt: askedAt)
  }

  /// Returns `fields` of the beginning updated with those of `part`. `no-store` on the beginning applies to
  /// the complete response (RFC 9111, section 5.2.2.5: "any part").
  private func updated(_ fields: HeaderFields, with part: TransportResponse) -> HeaderFields {
    var fields = fields.updated(with: part.headers.storable)
    if CacheControl(headers).noStore, !CacheControl(fields).noStore {
      fields.append("cache-control", "no-store")
    }
    return fields
  }

  /// Returns whether both are the same bytes of the same version.
  package func isSame(as other: Resumption) -> Bool {
    tag == other.tag && total == other.total && count == other.count
      && coded?.coding == other.coded?.coding
  }

  /// The prefix to store on disk; nil if the response forbids storing.
  package var stored: StoredPrefix? {
    if CacheControl(headers).noStore { return nil }
    return StoredPrefix(
      status: 200, headers: headers.withoutSecrets, bytes: coded?.bytes ?? bytes, total: total,
      storedAt: askedAt)
  }
}

extension EntityTag {
  /// Returns the tag in `headers`; nil unless there is exactly one and it is strong.
  fileprivate init?(onlyStrongIn headers: HeaderFields) {
    let tags = headers.values(of: "etag")
    guard tags.count == 1, let tag = EntityTag(tags[0]), tag.isStrong else { return nil }
    self = tag
  }
}

extension Resumption.Coded {
  /// Returns the decoded bytes; nil if they are damaged or exceed `limit`.
  fileprivate func decoded(limit: Int) -> [UInt8]? {
    guard let decoder = ContentDecoder(coding) else { return nil }
    var decoded: [UInt8] = []
    let outcome = decoder.feed(bytes.span) { piece in
      guard piece.count <= limit - decoded.count else { return false }
      unsafe piece.withUnsafeBufferPointer { unsafe decoded.append(contentsOf: $0) }
      return true
    }
    return outcome == .consumed ? decoded : nil
  }
}
