internal import Cellophane
internal import CellophaneBatch

/// The keys of the samples that are there, of ten million lines in a megabyte where their numbers are all that tells them
/// apart, and by 64-bit hashes where it is not.
struct SampleKeys: Sendable {
  private let name: OutputName
  private let seed = UInt64.random(in: 0 ... .max)
  private var lines = SeenNumbers()
  private var hashes = SeenHashes()

  /// No keys, most of which `name` will give.
  init(named name: OutputName) { self.name = name }

  /// The key that `name` gives.
  func key(of subject: OutputName.Subject) -> String {
    ShardSample.key(of: name.path(of: subject, contentHash: ""))
  }

  mutating func add(_ key: String) {
    if let line = line(of: key) { lines.add(line) } else { _ = hashes.add(hash(key)) }
  }

  func contains(_ key: String) -> Bool {
    line(of: key).map(lines.contains) ?? hashes.contains(hash(key))
  }

  /// The number of the only line that has `key`: the last number in it, unless something else would give the same.
  private func line(of key: String) -> Int? {
    guard name.isOfLineAlone else { return nil }
    let digits = key.utf8.reversed().drop { !$0.isDigit }.prefix { $0.isDigit }.reversed()
    guard let line = Int(String(decoding: digits, as: UTF8.self)),
      self.key(of: OutputName.Subject(line: line, url: "", key: nil)) == key
    else { return nil }
    return line
  }

  private func hash(_ key: String) -> UInt64 { XXH3.checksum(Array(key.utf8).span, seed: seed) }
}

extension UInt8 {
  fileprivate var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }
}
