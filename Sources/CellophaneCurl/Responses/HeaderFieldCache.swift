#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif

/// The parsed header lines of recent responses.
///
/// Most lines of a head equal those of the previous head: responses to one client differ in a line or two. A
/// line at the same index is compared instead of parsed, and all responses share its strings. A head of eight
/// such lines takes 4 000 instructions instead of 15 000.
final class HeaderFieldCache {
  private struct Entry {
    /// Includes the line ending.
    let line: [UInt8]
    let field: HeaderFields.Field
    let kind: ResponseHead.RelevantFields
  }

  private var entries: [Entry] = []

  /// The number of lines kept as long as the easy handle. 64: more than nearly all heads have.
  private static let maxLines = 64
  /// The longest line kept, in bytes. 512: longer than nearly all lines; 64 KB in total with their fields.
  private static let maxLineLength = 512

  /// Returns the field of the kept line at `index` if the same line is in `bytes` at `start`, and advances
  /// `start` past it. Only kept lines count toward `index`.
  func next(
    _ index: Int, in bytes: Span<UInt8>, from start: inout Int
  ) -> (HeaderFields.Field, ResponseHead.RelevantFields)? {
    guard index < entries.count else { return nil }
    let entry = entries[index]
    let line = entry.line
    guard line.count <= bytes.count - start else { return nil }
    let isSame = unsafe bytes.extracting(start..<start + line.count).withUnsafeBytes { candidate in
      // A line has at least its line ending, so neither buffer is empty.
      guard let candidate = candidate.baseAddress else { return false }
      return unsafe memcmp(line, candidate, line.count) == 0
    }
    guard isSame else { return nil }
    start += line.count
    return (entry.field, entry.kind)
  }

  /// Keeps the field parsed from `line` for the next head; false if the line or the index exceeds the limits.
  func keep(
    _ field: HeaderFields.Field, _ kind: ResponseHead.RelevantFields, _ index: Int, _ line: Span<UInt8>
  )
    -> Bool
  {
    guard line.count <= Self.maxLineLength, index < Self.maxLines else { return false }
    let entry = Entry(line: line.indices.map { line[$0] }, field: field, kind: kind)
    if index < entries.count { entries[index] = entry } else { entries.append(entry) }
    return true
  }
}
