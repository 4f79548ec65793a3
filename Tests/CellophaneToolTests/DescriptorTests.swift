internal import CellophaneTestOrigin
internal import Testing

@Suite("Few file descriptors", .timeLimit(.minutes(5)))
struct DescriptorTests {
  @Test("with few descriptors, prefetch completes with fewer connections", arguments: [24, 28, 32, 64])
  func few(limit: Int) async throws {
    let room = try Room()
    let origin = try TestOrigin.gallery()
    try room.write(lines: (1...30).map { origin.url("/\($0).png") }, as: "list")
    let ended = try await room.shell("ulimit -n \(limit); cellophane prefetch list --as bytes --json")
    #expect(ended.exit == 0, "\(ended)")
    #expect(try ended.json()["fetched"] as? Int == 30, "\(ended)")
  }

  @Test(
    "with too few descriptors, the tool reports an error and sends no request", arguments: [6, 10, 16, 23])
  func tooFew(limit: Int) async throws {
    let room = try Room()
    let origin = try TestOrigin.gallery()
    let ended = try await room.shell(
      "ulimit -n \(limit); cellophane fetch \(origin.url("/8.png")) --timeout 2")
    #expect(ended.exit == 1 && ended.errorLines.count == 1, "\(ended)")
    #expect(ended.errors.hasPrefix("cellophane: io: the limit of open files is \(limit), but"), "\(ended)")
    #expect(origin.counters.requests == 0)
  }
}
