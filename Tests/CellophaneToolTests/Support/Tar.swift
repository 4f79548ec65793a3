/// Returns the files of an archive, in order; nil if it is invalid or truncated.
func files(ofTar bytes: [UInt8]) -> [(name: String, offset: Int, content: [UInt8])]? {
  guard bytes.count % 512 == 0, bytes.suffix(1_024).allSatisfy({ $0 == 0 }) else { return nil }
  var files: [(name: String, offset: Int, content: [UInt8])] = []
  var offset = 0
  // The name in an extended header, which precedes the file.
  var path: String?
  while offset + 1_024 < bytes.count {
    let header = bytes[offset..<offset + 512]
    func text(_ range: Range<Int>) -> String {
      String(
        decoding: header[offset + range.lowerBound..<offset + range.upperBound].prefix { $0 != 0 },
        as: UTF8.self)
    }
    guard text(257..<263) == "ustar", let count = Int(text(124..<135), radix: 8) else { return nil }
    let start = offset + 512
    guard start + count <= bytes.count - 1_024 else { return nil }
    let content = Array(bytes[start..<start + count])
    if text(156..<157) == "x" {
      path = String(decoding: content, as: UTF8.self).split(separator: "=", maxSplits: 1).last.map {
        String($0.dropLast())
      }
    } else {
      files.append((path ?? text(0..<100), start, content))
      path = nil
    }
    offset = start + (count + 511) / 512 * 512
  }
  return offset + 1_024 == bytes.count ? files : nil
}
