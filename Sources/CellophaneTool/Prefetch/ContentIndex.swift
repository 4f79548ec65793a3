internal import Cellophane
internal import CellophaneBatch

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// Which content requests came to, for files that are named by it: `.cellophane/contents` in their folder has a line for
/// each, `KEY HASH.jpg`, of which the last one of a key counts. Several processes may add to it at once.
///
/// It is a hint: whoever takes it looks whether the file is there, and what is not written down is loaded again.
final class ContentIndex: Sendable {
  /// What a file is named by.
  struct Content: Equatable, Sendable {
    /// Of the bytes that were written, 32 hexadecimal digits.
    let hash: String
    /// What its name ends in.
    let suffix: String
  }

  private struct Line {
    let key: UInt64
    let offset: Int
  }

  // A key, a blank, a hash, a suffix and a line break.
  private static let longestLine = 80

  private let seed = UInt64.random(in: 0 ... .max)
  private let descriptor: Int32
  /// Where those that were there begin, by the hashes of their keys: 16 bytes each, so that ten million take 160 MB.
  private let lines: [Line]

  /// Opens or makes the one of `folder`.
  ///
  /// - Throws: ``LoadError/Kind/io`` when that is not possible.
  init(in folder: String) throws(LoadError) {
    let hidden = folder + "/.cellophane"
    let path = hidden + "/contents"
    // Nobody removes the folder meanwhile because it is empty.
    descriptor = try Platform.alone(in: folder) { () throws(LoadError) in
      try FileOutput.makeDirectory(hidden)
      let descriptor = Platform.openForWriting(path, O_RDWR | O_CREAT | O_APPEND)
      guard descriptor >= 0 else { throw .cannotWrite(path, because: errno) }
      return descriptor
    }
    do throws(LoadError) {
      lines = try Self.lines(of: path, seed: seed)
    } catch {
      Platform.close(descriptor)
      throw error
    }
  }

  deinit { Platform.close(descriptor) }

  /// What the request of `key` came to in an earlier run; nil when that is not known.
  func content(of key: String) -> Content? {
    let hash = Self.hash(key, seed: seed)
    // The last one that is not behind it.
    var (low, high) = (0, lines.count)
    while low < high {
      let middle = (low + high) / 2
      if lines[middle].key > hash { high = middle } else { low = middle + 1 }
    }
    guard low > 0, lines[low - 1].key == hash,
      let bytes = Platform.read(descriptor, atMost: Self.longestLine, at: lines[low - 1].offset)
    else { return nil }
    let line = String(decoding: bytes.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
    guard let (name, content) = Self.parts(of: line), name == key else { return nil }
    return content
  }

  /// Writes down what the request of `key` came to, if that is news. What cannot be written is loaded again.
  func add(_ content: Content, for key: String) {
    if self.content(of: key) == content { return }
    Output.write(Array("\(key) \(content.hash)\(content.suffix)\n".utf8).span, to: descriptor)
  }

  private static func lines(of path: String, seed: UInt64) throws(LoadError) -> [Line] {
    var reader = ListReader(.lines)
    var lines: [Line] = []
    func add(_ records: [ListRecord]) {
      for record in records {
        // Half of one, where a disk was full, is none.
        guard let (key, _) = parts(of: record.url) else { continue }
        lines.append(Line(key: hash(key, seed: seed), offset: record.end - 1 - record.url.utf8.count))
      }
    }
    try FileOutput.read(path) { piece throws(LoadError) in add(try reader.read(piece)) }
    add(try reader.finish())
    lines.sort { ($0.key, $0.offset) < ($1.key, $1.offset) }
    return lines
  }

  /// The key of a line, and its content; nil for what is none.
  private static func parts(of line: String) -> (key: String, Content)? {
    let text = Array(line.utf8)
    guard (65..<longestLine).contains(text.count), text[32] == UInt8(ascii: " "),
      (text[..<32] + text[33..<65]).allSatisfy(\.isHexadecimal)
    else { return nil }
    func part(_ range: some RangeExpression<Int>) -> String { String(decoding: text[range], as: UTF8.self) }
    return (part(..<32), Content(hash: part(33..<65), suffix: part(65...)))
  }

  private static func hash(_ key: String, seed: UInt64) -> UInt64 {
    XXH3.checksum(Array(key.utf8).span, seed: seed)
  }
}

extension UInt8 {
  fileprivate var isHexadecimal: Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self)
      || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(self)
  }
}
