internal import Cellophane

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// The origins of the files in an output folder.
///
/// The file `.cellophane/contents` has a line `KEY HASH.jpg` for each file. The key is the hash of its path, and the
/// hash is that of its request and options. For names by content, the key is the hash of the request and options, and the
/// hash is that of the content. The last line of a key is valid. Several processes may append lines at the same time.
///
/// Callers check that the file exists, and load records without a line again.
final class OutputIndex: Sendable {
  /// A line of the index without its key.
  struct Content: Equatable, Sendable {
    /// 32 hexadecimal digits.
    let hash: String
    /// The extension of the file name, with the dot.
    let suffix: String

    /// The content of a path whose file is about to be replaced. No request has this hash.
    static let none = Content(hash: String(repeating: "0", count: 32), suffix: "")
  }

  /// The hash of a key, and the position of its line.
  private struct Entry {
    let key: UInt64
    let offset: Int
  }

  // A key, a space, a hash, a suffix and a line break.
  private static let longestLine = 80

  private let seed = UInt64.random(in: 0 ... .max)
  private let descriptor: Int32
  /// The lines of earlier runs, sorted by key. Each entry has 16 bytes, so ten million take 160 MB.
  private let entries: [Entry]

  /// Opens or creates the index of `folder`.
  ///
  /// - Throws: ``LoadError/Kind/io`` if that fails.
  init(in folder: String) throws(LoadError) {
    let hidden = folder + "/.cellophane"
    let path = hidden + "/contents"
    // The lock keeps other processes from removing the empty folder in between.
    descriptor = try Platform.withLock(on: folder) { () throws(LoadError) in
      try FileIO.makeDirectory(hidden)
      let descriptor = Platform.openForWriting(path, O_RDWR | O_CREAT | O_APPEND)
      guard descriptor >= 0 else { throw .cannotWrite(path, because: errno) }
      return descriptor
    }
    do throws(LoadError) {
      entries = try Self.entries(of: path, seed: seed)
    } catch {
      Platform.close(descriptor)
      throw error
    }
  }

  deinit { Platform.close(descriptor) }

  /// Returns the content for `key` in an earlier run; nil if it is not known.
  func content(of key: String) -> Content? {
    let hash = Self.hash(key, seed: seed)
    // Binary search for the last entry of the key.
    var (low, high) = (0, entries.count)
    while low < high {
      let middle = (low + high) / 2
      if entries[middle].key > hash { high = middle } else { low = middle + 1 }
    }
    guard low > 0, entries[low - 1].key == hash,
      let bytes = Platform.read(descriptor, atMost: Self.longestLine, at: entries[low - 1].offset)
    else { return nil }
    let line = String(decoding: bytes.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
    guard let (name, content) = Self.parts(of: line), name == key else { return nil }
    return content
  }

  /// Appends the content for `key`. A failure is ignored: the record is then loaded again.
  func add(_ content: Content, for key: String) {
    Platform.write(Array("\(key) \(content.hash)\(content.suffix)\n".utf8).span, to: descriptor)
  }

  private static func entries(of path: String, seed: UInt64) throws(LoadError) -> [Entry] {
    var reader = ListReader(.lines)
    var entries: [Entry] = []
    func add(_ records: [ListRecord]) {
      for record in records {
        // Skips partial lines, from a disk that was full.
        guard let (key, _) = parts(of: record.url) else { continue }
        entries.append(Entry(key: hash(key, seed: seed), offset: record.end - 1 - record.url.utf8.count))
      }
    }
    try FileIO.read(path) { piece throws(LoadError) in add(try reader.read(piece)) }
    add(try reader.finish())
    entries.sort { ($0.key, $0.offset) < ($1.key, $1.offset) }
    return entries
  }

  /// Returns the key and the content of a line; nil if the line is not valid.
  private static func parts(of line: String) -> (key: String, Content)? {
    let text = Array(line.utf8)
    guard (65..<longestLine).contains(text.count), text[32] == UInt8(ascii: " "),
      (text[..<32] + text[33..<65]).allSatisfy(\.isHexadecimal)
    else { return nil }
    func part(_ range: some RangeExpression<Int>) -> String { String(decoding: text[range], as: UTF8.self) }
    let suffix = part(65...)
    guard OutputSettings.knownSuffixes.contains(suffix) else { return nil }
    return (part(..<32), Content(hash: part(33..<65), suffix: suffix))
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
