internal import Testing

@testable internal import CellophaneBatch

@Suite("The set of earlier URLs")
struct SeenURLsTests {
  @Test("each URL is new once, for concurrent callers", arguments: [0, 1, .max] as [UInt64])
  func atOnce(seed: UInt64) async {
    let seen = SeenURLs(seed: seed)
    let added = await withTaskGroup(of: Int.self) { group in
      for start in 0..<8 {
        group.addTask {
          (0..<1_000).count { seen.add(seen.hash("http://h/\(($0 * 7 + start * 131) % 1_000)")) }
        }
      }
      return await group.reduce(0, +)
    }
    #expect(added == 1_000)
    #expect(!seen.add(seen.hash("http://h/999")) && seen.add(seen.hash("http://h/1000")))
  }
}
