internal import Cellophane

/// The keys of the samples of this run, and the keys and origins of earlier samples.
///
/// Keys of this run that differ only in the number of their record are stored as numbers: ten million take a megabyte.
/// Other keys are stored as 64-bit hashes.
struct SampleKeys: Sendable {
  private let name: OutputName
  private let seed = UInt64.random(in: 0 ... .max)
  private var numbers = SeenNumbers()
  private var hashes = SeenHashes()
  /// The pairs of keys and origins of earlier samples.
  private var earlier = SeenHashes()

  /// Creates an empty set for keys that are mostly made by `name`.
  init(named name: OutputName) { self.name = name }

  /// Returns the key that `name` gives to `subject`.
  func key(of subject: OutputName.Subject) -> String {
    ShardSample.key(of: name.path(of: subject, contentHash: ""))
  }

  /// Adds a sample of an earlier run.
  mutating func addEarlier(_ key: String, _ origin: String) { _ = earlier.add(hash(key + "\n" + origin)) }

  /// Returns whether an earlier run wrote a sample with this key and origin.
  func hasEarlier(_ key: String, _ origin: String) -> Bool { earlier.contains(hash(key + "\n" + origin)) }

  /// Adds a sample of this run.
  mutating func add(_ key: String) {
    if let number = number(of: key) { numbers.add(number) } else { _ = hashes.add(hash(key)) }
  }

  /// Returns whether this run wrote a sample with this key.
  func contains(_ key: String) -> Bool {
    number(of: key).map(numbers.contains) ?? hashes.contains(hash(key))
  }

  /// Returns the number of the only record with `key`: the last number in the key, if `name` makes the same key from it.
  private func number(of key: String) -> Int? {
    guard name.usesOnlyIndex else { return nil }
    let digits = key.utf8.reversed().drop { !$0.isDigit }.prefix { $0.isDigit }.reversed()
    guard let number = Int(String(decoding: digits, as: UTF8.self)),
      self.key(of: OutputName.Subject(line: number, url: "", key: nil)) == key
    else { return nil }
    return number
  }

  private func hash(_ key: String) -> UInt64 { XXH3.checksum(Array(key.utf8).span, seed: seed) }
}

extension UInt8 {
  fileprivate var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }
}
