@testable internal import CellophaneHTTP
internal import Testing

@Suite("Content-Range")
struct ContentRangeTests {
  @Test(
    "valid values are parsed, others are nil",
    arguments: [
      ("bytes 0-0/1", [0, 0, 1]), ("bytes 100-199/200", [100, 199, 200]), ("Bytes 1-2/9", [1, 2, 9]),
      ("bytes 1-2/*", [1, 2, -1]), ("bytes 2-1/9", nil), ("bytes 1-9/9", nil), ("bytes */9", nil),
      ("bytes 1-2", nil), ("bytes=1-2/9", nil), ("items 1-2/9", nil), ("bytes -1-2/9", nil),
      ("bytes +1-2/9", nil), ("bytes 1-2/9/9", nil), ("bytes  1-2/9", nil), ("bytes 1-2/9 ", nil), ("", nil),
      ("bytes 1-99999999999999999999/999999999999999999999", nil), ("bytes 1-2/x", nil), ("bytes -/", nil),
    ] as [(String, [Int]?)])
  func parsing(text: String, expected: [Int]?) {
    #expect(ContentRange(text).map { [$0.first, $0.last, $0.total ?? -1] } == expected)
  }

  @Test(
    "a value declares a body of 10 bytes to be complete, or not",
    arguments: [
      ("bytes 0-9/10", true), ("Bytes 0-9/10", true), ("bytes=0-9/10", true), ("bytes: 0-9/10", true),
      ("0-9/10", true), ("bytes  0 - 9 / 10", true), ("bytes 0-10/10", true), ("bytes 00-09/010", true),
      ("bytes 0-9/11", false), ("bytes 0-8/10", false), ("bytes 0-8/9", false), ("bytes 1-9/10", false),
      ("bytes 0-9/*", false), ("bytes */10", false), ("bytes 0-/10", false), ("bytes 0-11/10", false),
      ("bytes 0-9/10, 0-9/10", false), ("", false), ("bytes", false),
      ("bytes 0-9/99999999999999999999", false),
    ])
  func complete(text: String, expected: Bool) { #expect(ContentRange.isComplete(text, of: 10) == expected) }

  @Test(
    "a range selects a part of a body, or nothing",
    arguments: [
      ("bytes=0-1", 10, "bytes 0-1/10"), ("bytes=9-9", 10, "bytes 9-9/10"),
      ("bytes=9-99", 10, "bytes 9-9/10"),
      ("bytes=4-", 10, "bytes 4-9/10"), ("bytes=0-", 1, "bytes 0-0/1"), ("bytes=-1", 10, "bytes 9-9/10"),
      ("bytes=-99", 10, "bytes 0-9/10"), ("bytes=10-", 10, nil), ("bytes=10-12", 10, nil),
      ("bytes=-0", 10, nil),
      ("bytes=5-4", 10, nil), ("bytes=0-0", 0, nil), ("bytes=0-", 0, nil), ("bytes=-1", 0, nil),
      ("bytes=0-9223372036854775806", 3, "bytes 0-2/3"), ("bytes=-9223372036854775806", 3, "bytes 0-2/3"),
    ] as [(String, Int, String?)])
  func part(asked: String, count: Int, expected: String?) {
    let part = ByteRange(asked)?.part(of: count)
    #expect(part?.text == expected)
    if let part { #expect(ContentRange(part.text) == part) }
  }
}
