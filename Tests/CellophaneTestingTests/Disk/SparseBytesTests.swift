internal import Cellophane
internal import Testing

@testable internal import CellophaneTesting

@Suite struct SparseBytesTests {
  static let head: [UInt8] = [1, 0, 2, 0, 0, 0, 0, 3]
  static func zeros(_ count: Int) -> [UInt8] { Array(repeating: 0, count: count) }

  static let files: [[[UInt8]]] = [
    [], [[]], [[0]], [[7]], [head], [head, [9]], [zeros(7)], [zeros(4_096)], [zeros(100_000)],
    [head + zeros(4_095)], [head + zeros(4_096)], [[5] + zeros(9_999)], [head + zeros(50_000), [4, 5, 6]],
    [zeros(5_000) + head, [], zeros(5_000), head], [zeros(5_000) + head + zeros(8_192), [0, 1]],
  ]

  @Test(arguments: files)
  func `written bytes are read back`(parts: [[UInt8]]) {
    let bytes = SparseBytes(parts)
    let expected = Array(parts.joined())
    #expect(bytes.count == expected.count)
    #expect(bytes.all == expected)
  }

  @Test func `zeros at the end of a part take no memory`() {
    #expect(SparseBytes([Self.head + Self.zeros(50_000), [4, 5, 6]]).stored <= Self.head.count + 8 + 3)
    #expect(SparseBytes([Self.zeros(1 << 20)]).stored <= 8)
    #expect(SparseBytes([Self.zeros(50_000) + Self.head]).stored == 50_000 + Self.head.count)
  }

  @Test func `a write that fails after half of its bytes keeps the zeros of that half`() throws {
    let files = MemoryFileSystem()
    let directory = try files.directory(at: "/cache", creating: true)
    files.inject(.failures(2...2, .full))
    #expect(throws: (any Error).self) { try directory.create("a", [Self.head + Self.zeros(50_000), [1]]) }
    #expect(files.files["/cache/a"] == Self.head + Self.zeros(24_996))
  }
}
