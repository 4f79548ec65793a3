/// The memory that one body may fill.
package struct BodyAllowance: Sendable {
  /// The bytes that the body needs and did not get; nil if it has enough. The exchange must end.
  package private(set) var lacking: Int?
  private let memory: BodyMemory.Share
  private var bytes = 0

  /// The size for which a body without a length takes memory with its first bytes. 64 KB: many such images
  /// are smaller.
  private static let least = 64 << 10

  /// Takes the memory for a body of `length` bytes behind a beginning of `beginning` bytes; none without a length.
  init(_ memory: BodyMemory.Share, beginning: Int, length: Int?) {
    self.memory = memory
    guard let length else { return }
    // No array is longer than half of the address space.
    let bytes = beginning + min(length, .max / 2)
    if memory.grow(to: bytes) {
      memory.shrink(to: bytes)
      self.bytes = bytes
    } else {
      lacking = bytes
    }
  }

  /// The memory that a body without a length takes when it grows, for each byte. 3: an array doubles its storage, and
  /// has the old one until the bytes are copied.
  private static let growth = 3

  /// True if the memory suffices for the length that the head states.
  package var coversLength: Bool { bytes > 0 }

  /// Takes the memory for `bytes` bytes in all; false if it is lacking.
  mutating func take(_ bytes: Int) -> Bool {
    if lacking != nil { return false }
    if bytes <= self.bytes { return true }
    let most = max(bytes, Self.least) * Self.growth
    guard memory.grow(to: most) else {
      lacking = most
      return false
    }
    self.bytes = max(bytes, Self.least) * 2
    return true
  }
}
