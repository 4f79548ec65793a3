/// The verified beginning of a body, and what it takes to go on behind it (RFC 9110, sections 13.1.5 and 14).
///
/// There is one only of a 200 with a strong tag, which came from the URL itself, and whose origin accepts ranges: a tag
/// names the same bytes only within one resource, and in one content coding.
struct Resumption: Sendable {
  /// Names one version of a body within a load.
  final class Version: Sendable {}

  /// Bytes as they came, before content decoding.
  struct Coded: Sendable {
    let coding: ContentDecoder.Coding
    let bytes: [UInt8]

    /// True when its end tells whether it is what was compressed. That of bare deflate (RFC 1951) does not.
    var isChecked: Bool { coding == .gzip || bytes.first.map { $0 & 0xF == 8 } ?? true }
  }

  /// The bytes from the beginning on, decoded.
  let bytes: [UInt8]
  /// What they were made of by content decoding, which is what ranges count; nil when there was none.
  let coded: Coded?
  /// The length of the whole body, before content decoding; nil until the origin tells it, which it need not before it
  /// is asked for a part.
  let total: Int?
  /// The most bytes that the whole body may have, decoded.
  let limit: Int
  /// Which version of the body they are of.
  let version: Version
  /// True once the origin was asked to go on and did something else. The bytes may be good all the same, but who has
  /// them asks for the whole.
  var isRefused = false
  private let tag: EntityTag
  private let headers: HeaderFields
  private let askedAt: Int64

  /// What arrived of an answer that was asked for at `askedAt` (seconds since 1970); nil when it cannot be continued,
  /// or when the whole would be longer than `limit`.
  init?(_ arriving: StreamingBody, limit: Int, askedAt: Int64) {
    let (head, bytes, coded, version) = arriving.snapshot
    guard let head, let version else { return nil }
    if let begun = arriving.resumption, begun.version === version {
      self.init(
        bytes: begun.bytes + bytes,
        coded: begun.coded.map { Coded(coding: $0.coding, bytes: $0.bytes + (coded ?? [])) },
        total: begun.whole(with: head), limit: limit,
        headers: begun.updated(begun.headers, with: head),
        version: version, askedAt: begun.askedAt)
    } else {
      let length = head.headers["content-length"]
      let total = length.flatMap { ContentRange.number($0.utf8) }
      guard Self.promisesParts(head), (length == nil) == (total == nil) else { return nil }
      let coding = Self.coding(of: head)
      guard coding != nil || head.headers.contentCodings.isEmpty else { return nil }
      self.init(
        bytes: bytes, coded: coding.map { Coded(coding: $0, bytes: coded ?? []) }, total: total, limit: limit,
        headers: head.headers, version: version, askedAt: askedAt)
    }
  }

  /// What was kept on disk; nil when it cannot be continued, or when the whole would be longer than `limit`.
  ///
  /// - Complexity: linear in what it is, decoded.
  init?(_ stored: StoredPrefix, limit: Int) {
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
    let most = coded == nil ? limit : TransferLimits.mostReceived(for: limit)
    guard count > 0, coded?.isChecked ?? true, count < total ?? .max, total ?? count <= most,
      bytes.count <= limit,
      let tag = EntityTag(onlyStrongIn: headers)
    else { return nil }
    (self.bytes, self.coded, self.total, self.limit) = (bytes, coded, total, limit)
    (self.version, self.tag, self.headers, self.askedAt) = (version, tag, headers, askedAt)
  }

  /// True when the origin whose answer has this head promises parts of its body.
  private static func promisesParts(_ head: TransportResponse) -> Bool {
    let units = FieldList("accept-ranges", in: head.headers)
    return head.status == 200 && head.redirects.isEmpty && EntityTag(onlyStrongIn: head.headers) != nil
      && units.contains { String(decoding: $0, as: UTF8.self).lowercased() == "bytes" }
  }

  /// The coding of a body that its origin promises to go on within; nil when there is none.
  static func coding(of head: TransportResponse) -> ContentDecoder.Coding? {
    let codings = head.headers.contentCodings
    guard codings.count == 1, promisesParts(head) else { return nil }
    return ContentDecoder.Coding(named: codings[0])
  }

  /// A decoder that has read the beginning; nil when nothing is compressed, or when that comes to something else.
  func decoder() -> ContentDecoder? {
    guard let coded, let decoder = ContentDecoder(coded.coding) else { return nil }
    var offset = 0
    let verdict = decoder.feed(coded.bytes.span) { piece in
      let isSame = unsafe piece.withUnsafeBufferPointer { unsafe bytes[offset...].starts(with: $0) }
      offset += isSame ? piece.count : 0
      return isSame
    }
    return verdict == .taken && offset == bytes.count ? decoder : nil
  }

  /// How many bytes are not asked for again.
  var count: Int { coded?.bytes.count ?? bytes.count }

  /// The fields that ask for the rest, if it is still of the same version: in the same coding, or in none, so that what
  /// comes is the bytes that are missing.
  func fields(with headers: HeaderFields) -> HeaderFields {
    var fields: HeaderFields = ["range": "bytes=\(count)-", "if-range": tag.text]
    if headers["accept-encoding"] == nil {
      fields.append("accept-encoding", coded?.coding.rawValue ?? "identity")
    }
    return fields
  }

  /// True when the answer with this head has exactly the rest of the same version.
  func isContinued(by head: TransportResponse) -> Bool { whole(with: head) != nil }

  /// The length of the whole body, which `head` completes; nil when that is not the rest of the same version.
  private func whole(with head: TransportResponse) -> Int? {
    let ranges = head.headers.values(of: "content-range")
    let codings = head.headers.contentCodings
    guard head.status == 206, head.redirects.isEmpty, head.headers.values(of: "etag") == [tag.text],
      // A part need not repeat what its coding is (RFC 9110, section 15.3.7).
      codings.isEmpty || coded != nil && codings.map(ContentDecoder.Coding.init(named:)) == [coded?.coding],
      ranges.count == 1, let part = ContentRange(ranges[0]), part.first == count, let whole = part.total,
      part.last == whole - 1, whole == total ?? whole,
      whole <= (coded == nil ? limit : TransferLimits.mostReceived(for: limit))
    else { return nil }
    return whole
  }

  /// The whole response, with the fields of both (RFC 9111, section 3.4); nil unless `part`, of which so many bytes were
  /// received before content decoding, is the rest.
  func joined(with part: TransportResponse, received: Int, askedAt: Int64) -> StoredResponse? {
    guard let whole = whole(with: part), whole == count + received else { return nil }
    var old = headers.ofResource
    // Both told the age of the message that they came with.
    old["age"] = nil
    old["date"] = nil
    return StoredResponse(
      status: 200, headers: updated(old, with: part), body: bytes + part.body, storedAt: askedAt)
  }

  /// `fields` of the beginning with those of `part`. What forbids to store the beginning forbids to store the whole
  /// (RFC 9111, section 5.2.2.5: "any part").
  private func updated(_ fields: HeaderFields, with part: TransportResponse) -> HeaderFields {
    var fields = fields.updated(with: part.headers.ofResource)
    if CacheControl(headers).noStore, !CacheControl(fields).noStore {
      fields.append("cache-control", "no-store")
    }
    return fields
  }

  /// True when both are the same bytes of the same version.
  func isSame(as other: Resumption) -> Bool {
    tag == other.tag && total == other.total && count == other.count
      && coded?.coding == other.coded?.coding
  }

  /// As it is kept on disk; nil when the response forbids that.
  var stored: StoredPrefix? {
    if CacheControl(headers).noStore { return nil }
    return StoredPrefix(
      status: 200, headers: headers.withoutSecrets, bytes: coded?.bytes ?? bytes, total: total,
      storedAt: askedAt)
  }
}

extension EntityTag {
  /// The tag in `headers`; nil unless there is exactly one, and it is strong.
  fileprivate init?(onlyStrongIn headers: HeaderFields) {
    let tags = headers.values(of: "etag")
    guard tags.count == 1, let tag = EntityTag(tags[0]), tag.isStrong else { return nil }
    self = tag
  }
}

extension Resumption.Coded {
  /// What is in it; nil when it is damaged or decodes to more than `limit` bytes.
  fileprivate func decoded(limit: Int) -> [UInt8]? {
    guard let decoder = ContentDecoder(coding) else { return nil }
    var decoded: [UInt8] = []
    let verdict = decoder.feed(bytes.span) { piece in
      guard piece.count <= limit - decoded.count else { return false }
      unsafe piece.withUnsafeBufferPointer { unsafe decoded.append(contentsOf: $0) }
      return true
    }
    return verdict == .taken ? decoded : nil
  }
}
