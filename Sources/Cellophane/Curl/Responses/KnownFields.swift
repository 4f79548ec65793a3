#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif

/// The header fields that came last, each with its line.
///
/// Most lines of a head are those of the head before: answers to one client differ in a line or two. A line that stood at
/// the same place is compared in place of being read, and all answers share its texts. A head of eight such lines takes
/// 4 000 instructions, where it takes 15 000 to read it.
final class KnownFields {
  private struct Known {
    /// With its end.
    let line: [UInt8]
    let field: HeaderFields.Field
    let kind: ResponseHead.Notable
  }

  private var known: [Known] = []

  /// How many lines are kept, as long as the easy handle is. 64: more than nearly all heads have.
  private static let mostLines = 64
  /// The longest line that is kept. 512 bytes, more than nearly all have: 64 KB in all with their fields, at most.
  private static let longestLine = 512

  /// The field whose line stood at `place` before, counting those that are kept, and stands in `bytes` at `start` now;
  /// moves `start` behind it.
  func next(
    _ place: Int, in bytes: Span<UInt8>, from start: inout Int
  ) -> (HeaderFields.Field, ResponseHead.Notable)? {
    guard place < known.count else { return nil }
    let entry = known[place]
    let line = entry.line
    guard line.count <= bytes.count - start else { return nil }
    let isSame = unsafe bytes.extracting(start..<start + line.count).withUnsafeBytes { there in
      // Neither is empty: a line has its end.
      guard let there = there.baseAddress else { return false }
      return unsafe memcmp(line, there, line.count) == 0
    }
    guard isSame else { return nil }
    start += line.count
    return (entry.field, entry.kind)
  }

  /// Keeps what the whole of `line` is, for the next head; false when it does not.
  func keep(_ field: HeaderFields.Field, _ kind: ResponseHead.Notable, _ place: Int, _ line: Span<UInt8>)
    -> Bool
  {
    guard line.count <= Self.longestLine, place < Self.mostLines else { return false }
    let entry = Known(line: line.indices.map { line[$0] }, field: field, kind: kind)
    if place < known.count { known[place] = entry } else { known.append(entry) }
    return true
  }
}
