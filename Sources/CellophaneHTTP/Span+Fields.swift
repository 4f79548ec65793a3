/// Byte-wise parsing of a response head. A head is parsed for each response, so no slices are created.
extension Span<UInt8> {
  /// Returns the line at `start` without its line ending, and moves `start` past that ending.
  package func nextLine(from start: inout Int) -> Range<Int> {
    let begin = start
    let lineFeed = firstIndex(of: UInt8(ascii: "\n"), in: begin..<count)
    start = Swift.min(lineFeed + 1, count)
    let hasReturn = lineFeed > begin && self[lineFeed - 1] == UInt8(ascii: "\r")
    return begin..<(hasReturn ? lineFeed - 1 : lineFeed)
  }

  /// Returns the first index of `byte` within `range`, or the upper bound of `range`.
  package func firstIndex(of byte: UInt8, in range: Range<Int>) -> Int {
    var index = range.lowerBound
    while index < range.upperBound, self[index] != byte { index += 1 }
    return index
  }

  /// Returns `range` without leading and trailing spaces and tabs (RFC 9110, section 5.6.3).
  package func trimmed(_ range: Range<Int>) -> Range<Int> {
    var (start, end) = (range.lowerBound, range.upperBound)
    while start < end, self[start].isBlank { start += 1 }
    while start < end, self[end - 1].isBlank { end -= 1 }
    return start..<end
  }

  /// Returns whether the bytes of `word` occur one after the other.
  package func contains(_ word: [UInt8]) -> Bool {
    var start = 0
    while start + word.count <= count {
      if word.indices.allSatisfy({ self[start + $0] == word[$0] }) { return true }
      start += 1
    }
    return false
  }

  /// Returns whether `predicate` is true for a byte within `range`.
  package func contains(in range: Range<Int>, where predicate: (UInt8) -> Bool) -> Bool {
    for index in range where predicate(self[index]) { return true }
    return false
  }
}
