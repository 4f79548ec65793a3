internal import Cellophane
internal import CellophaneNetwork

extension OriginResponse {
  /// Replaces this complete response by 304, 206 or 416 where the request asks for it.
  ///
  /// - Parameters:
  ///   - request: The header fields of the request.
  ///   - tag: The strong entity tag of the body.
  mutating func apply(_ request: HeaderFields, tag: String) {
    if Self.isKnown(tag, to: request) {
      (status, body) = (304, [])
      return
    }
    // A range for another version is answered with the complete body (RFC 9110, section 13.1.5).
    if let condition = request["If-Range"], condition != tag { return }
    guard let range = request["Range"].flatMap(ByteRange.init) else { return }
    let count = body.count
    let part: Range<Int>
    switch range {
    case .from(let first, let last?) where last < first: return
    case .from(let first, let last): part = min(first, count)..<min(last.map { $0 + 1 } ?? count, count)
    case .last(let length): part = max(0, count - length)..<count
    }
    if part.isEmpty {
      (status, body) = (416, [])
      headers["Content-Range"] = "bytes */\(count)"
    } else {
      (status, body) = (206, Array(body[part]))
      headers["Content-Range"] = "bytes \(part.lowerBound)-\(part.upperBound - 1)/\(count)"
    }
  }

  /// Returns whether `If-None-Match` names the version with `tag`, by a weak comparison (RFC 9110, section 13.1.2).
  private static func isKnown(_ tag: String, to request: HeaderFields) -> Bool {
    guard let value = request["If-None-Match"] else { return false }
    if value == tag || value == "*" { return true }
    return FieldList("if-none-match", in: request).contains { member in
      EntityTag(String(decoding: member, as: UTF8.self))?.opaque == tag[...]
    }
  }
}
