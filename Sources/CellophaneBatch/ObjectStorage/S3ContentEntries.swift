internal import Cellophane
internal import CellophaneS3

/// The names and entity tags of objects, as hashes: 16 bytes for each.
struct S3ContentTags: Sendable {
  private let seed = UInt64.random(in: 0 ... .max)
  private var tags: [(name: UInt64, tag: UInt64)] = []

  mutating func add(_ object: S3Object) { tags.append((hash(object.name), hash(S3Part.plain(object.etag)))) }

  /// Prepares for searches. Nothing is added afterwards.
  mutating func sort() { tags.sort { $0.name < $1.name } }

  func contains(_ name: String, _ tag: String) -> Bool {
    let (name, tag) = (hash(name), hash(S3Part.plain(tag)))
    let start = tags.firstSorted { $0.name >= name }
    return tags[start...].prefix { $0.name == name }.contains { $0.tag == tag }
  }

  private func hash(_ text: String) -> UInt64 { XXH3.checksum(Array(text.utf8).span, seed: seed) }
}

/// The objects with known origins: 40 bytes for each.
struct S3ContentEntries: Sendable {
  struct Entry: Equatable, Sendable {
    /// The hash of the name without its extension; for names by content, that of the origin.
    fileprivate let key: UInt64
    fileprivate let origin: UInt64
    /// The hash of the content, for names by content.
    private let high: UInt64
    private let low: UInt64
    private let suffixIndex: UInt8

    /// The extension of the name, with the dot.
    var suffix: String { OutputSettings.knownSuffixes[Int(suffixIndex)] }

    /// The hash of the content as 32 hexadecimal digits.
    var content: String { Self.digits(high) + Self.digits(low) }

    fileprivate init?(key: UInt64, origin: UInt64, content: String?, suffix: String) {
      guard let index = OutputSettings.knownSuffixes.firstIndex(of: suffix) else { return nil }
      (self.key, self.origin, suffixIndex) = (key, origin, UInt8(index))
      guard let content else {
        (high, low) = (0, 0)
        return
      }
      guard content.utf8.count == 32, let high = UInt64(content.prefix(16), radix: 16),
        let low = UInt64(content.suffix(16), radix: 16)
      else { return nil }
      (self.high, self.low) = (high, low)
    }

    private static func digits(_ value: UInt64) -> String {
      let text = String(value, radix: 16)
      return String(repeating: "0", count: 16 - text.utf8.count) + text
    }
  }

  private let seed = UInt64.random(in: 0 ... .max)
  private var entries: [Entry] = []

  var isEmpty: Bool { entries.isEmpty }

  mutating func add(_ line: S3Contents.Line) {
    guard line.suffix <= line.file.utf8.count else { return }
    let file = line.file.utf8
    let (path, suffix) = (String(file.dropLast(line.suffix)), String(file.suffix(line.suffix)))
    guard let path, let suffix else { return }
    let key = hash(line.content == nil ? path : line.origin)
    if let entry = Entry(key: key, origin: hash(line.origin), content: line.content, suffix: suffix) {
      entries.append(entry)
    }
  }

  /// Prepares for searches. Nothing is added afterwards.
  mutating func sort() { entries.sort { $0.key < $1.key } }

  /// Returns the object that was written under `path` from `origin`.
  ///
  /// - Parameter path: The name without its extension; nil for a name by content.
  func entry(of path: String?, from origin: String) -> Entry? {
    let origin = (text: origin, hash: hash(origin))
    return all(path ?? origin.text).first { $0.origin == origin.hash }
  }

  /// Returns the extensions of the objects that were written under `path`.
  func suffixes(of path: String) -> [String] { all(path).map(\.suffix) }

  private func all(_ key: String) -> ArraySlice<Entry> {
    let key = hash(key)
    return entries[entries.firstSorted { $0.key >= key }...].prefix { $0.key == key }
  }

  private func hash(_ text: String) -> UInt64 { XXH3.checksum(Array(text.utf8).span, seed: seed) }
}

extension Array {
  /// Returns the index of the first element for which `condition` holds, or the end. It holds for all elements after it.
  fileprivate func firstSorted(where condition: (Element) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if condition(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
