/// Collects the parts of a response that matter.
struct S3ResponseReceiver {
  /// The maximum length of a body. 16 MiB: a list of 1 000 keys, each of at most 1 024 bytes that are escaped, has less
  /// than 7 MiB, and ranges of objects are requested in pieces of 8 MiB.
  static let longestBody = 16 << 20

  private var etag: String?
  private var region: String?
  private var length: Int?
  private var body: [UInt8] = []

  /// Takes a line of the head. The first line of each response begins with its version.
  mutating func receiveHead(_ line: [UInt8]) {
    if line.starts(with: "HTTP/".utf8) { self = S3ResponseReceiver() }
    guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { return }
    let name = String(decoding: line[..<colon], as: UTF8.self).lowercased()
    let value = String(decoding: line[(colon + 1)...], as: UTF8.self)
    let text = String(value.drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
    switch name {
    case "etag": etag = text
    case "x-amz-bucket-region": region = text
    case "content-length": length = Int(text)
    default: break
    }
  }

  /// Takes a part of the body; returns false if it is too long.
  mutating func receiveBody(_ bytes: [UInt8]) -> Bool {
    guard body.count + bytes.count <= Self.longestBody else { return false }
    body += bytes
    return true
  }

  func response(status: Int) -> S3Response {
    S3Response(status, etag: etag, region: region, length: length, body: body)
  }
}
