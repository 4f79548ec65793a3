/// The verified beginning of a body, and what it takes to go on behind it (RFC 9110, sections 13.1.5 and 14).
///
/// There is one only of a 200 with a strong tag and no content coding, which came from the URL itself, and whose origin
/// accepts ranges: a tag names the same bytes only within one resource.
struct Resumption: Sendable {
  /// Names one version of a body within a load.
  final class Version: Sendable {}

  /// The bytes from the beginning on; at least one, and not all, as far as is known.
  let bytes: [UInt8]
  /// The length of the whole body; nil until the origin tells it, which it need not before it is asked for a part.
  let total: Int?
  /// The most bytes that the whole body may have.
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
  init?(_ arriving: ArrivingBody, limit: Int, askedAt: Int64) {
    let (head, bytes, version) = arriving.snapshot
    guard let head, let version else { return nil }
    if let begun = arriving.resumption, begun.version === version {
      self.init(
        bytes: begun.bytes + bytes, total: begun.whole(with: head), limit: limit,
        headers: begun.headers.updated(with: head.headers.ofResource), version: version,
        askedAt: begun.askedAt)
    } else {
      let units = FieldList("accept-ranges", in: head.headers)
      let length = head.headers["content-length"]
      let total = length.flatMap { ContentRange.number($0.utf8) }
      guard head.status == 200, head.redirects.isEmpty, (length == nil) == (total == nil),
        units.contains(where: { String(decoding: $0, as: UTF8.self).lowercased() == "bytes" })
      else { return nil }
      self.init(
        bytes: bytes, total: total, limit: limit, headers: head.headers, version: version, askedAt: askedAt)
    }
  }

  /// What was kept on disk; nil when it cannot be continued, or when the whole would be longer than `limit`.
  init?(_ stored: StoredPrefix, limit: Int) {
    guard stored.status == 200 else { return nil }
    self.init(
      bytes: stored.bytes, total: stored.total, limit: limit, headers: stored.headers, version: Version(),
      askedAt: stored.storedAt)
  }

  private init?(
    bytes: [UInt8], total: Int?, limit: Int, headers: HeaderFields, version: Version, askedAt: Int64
  ) {
    let tags = headers.values(of: "etag")
    guard !bytes.isEmpty, bytes.count < total ?? .max, total ?? bytes.count <= limit,
      headers["content-encoding"] == nil, tags.count == 1, let tag = EntityTag(tags[0]), tag.isStrong
    else { return nil }
    (self.bytes, self.total, self.version) = (bytes, total, version)
    self.limit = limit
    (self.tag, self.headers, self.askedAt) = (tag, headers, askedAt)
  }

  /// The fields that ask for the rest, if it is still of the same version. No coding, as for every range (Fetch
  /// standard, "HTTP-network-or-cache fetch"): what comes must be the bytes that are missing.
  func fields(with headers: HeaderFields) -> HeaderFields {
    var fields: HeaderFields = ["range": "bytes=\(bytes.count)-", "if-range": tag.text]
    if headers["accept-encoding"] == nil { fields.append("accept-encoding", "identity") }
    return fields
  }

  /// True when the answer with this head has exactly the rest of the same version.
  func isContinued(by head: TransportResponse) -> Bool { whole(with: head) != nil }

  /// The length of the whole body, which the answer with `head` completes; nil when it is not the rest of this version.
  private func whole(with head: TransportResponse) -> Int? {
    let ranges = head.headers.values(of: "content-range")
    guard head.status == 206, head.redirects.isEmpty, head.headers["content-encoding"] == nil,
      head.headers.values(of: "etag") == [tag.text], ranges.count == 1, let part = ContentRange(ranges[0]),
      part.first == bytes.count, let whole = part.total, part.last == whole - 1, whole == total ?? whole,
      whole <= limit
    else { return nil }
    return whole
  }

  /// The whole response, with the fields of both (RFC 9111, section 3.4); nil unless `part` is the rest.
  func joined(with part: TransportResponse, askedAt: Int64) -> StoredResponse? {
    guard let whole = whole(with: part), bytes.count + part.body.count == whole else { return nil }
    var old = headers.ofResource
    // Both told the age of the message that they came with.
    old["age"] = nil
    old["date"] = nil
    return StoredResponse(
      status: 200, headers: old.updated(with: part.headers.ofResource), body: bytes + part.body,
      storedAt: askedAt)
  }

  /// True when both are the same bytes of the same version.
  func isSame(as other: Resumption) -> Bool {
    tag == other.tag && total == other.total && bytes.count == other.bytes.count
  }

  /// As it is kept on disk; nil when the response forbids that.
  var stored: StoredPrefix? {
    if CacheControl(headers).noStore { return nil }
    return StoredPrefix(
      status: 200, headers: headers.withoutSecrets, bytes: bytes, total: total, storedAt: askedAt)
  }
}
