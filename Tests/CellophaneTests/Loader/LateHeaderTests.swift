internal import Cellophane
internal import CellophaneTesting
internal import TestSupport
internal import Testing

/// A decoder that knows its working memory after `headerBytes`. Records the number of bytes of each check.
private struct LateHeaderDecoder: ResourceDecoder {
  static let headerBytes = 4_000
  let checks = Shared<[Int]>([])

  func workingBytes(for bytes: [UInt8], options: Int) throws(LoadError) -> Int {
    checks.update { $0.append(bytes.count) }
    guard bytes.count >= Self.headerBytes else { throw LoadError(.truncated, "the header is not complete") }
    return 8
  }

  func decode(_ bytes: [UInt8], options: Int) throws(LoadError) -> Int { bytes.count }
  func cost(of value: Int) -> Int { 8 }
  func incremental(options: Int) -> (any IncrementalDecoding<Int>)? { ByteCounter() }

  private final class ByteCounter: IncrementalDecoding {
    private var count = 0

    func feed(_ piece: [UInt8]) -> Bool {
      count += piece.count
      return true
    }

    func preview() -> Int? { -count }
    func finish() -> Int { count }
  }
}

@Suite("A header that arrives late, in virtual time")
struct LateHeaderTests {
  @Test("the header is checked in growing steps, and previews begin soon after it is complete")
  func growingSteps() async throws {
    let world = LoaderWorld(cacheLimit: nil)
    world.origin.script(
      "http://origin/late",
      .status(200, body: Array(repeating: 1, count: 6_000)).inPieces(of: 1, every: .milliseconds(1)))
    let decoder = LateHeaderDecoder()
    let loader = ResourceLoader(bytes: world.bytes, decoder: decoder)
    let request = try Request("http://origin/late", options: 1)
    let firstPreview = Shared(0)
    let value = Shared(0)
    world.timeline.spawn {
      let loaded = try? await loader.load(request) { preview in
        firstPreview.update { $0 = $0 == 0 ? -preview : $0 }
      }
      value.value = loaded?.value ?? -1
    }
    world.time.run()
    #expect(value.value == 6_000)
    let checks = decoder.checks.value
    // Steps of a sixteenth add up to seventeen times the header; a check of each byte, to 2 000 times.
    #expect(checks.reduce(0, +) < 20 * LateHeaderDecoder.headerBytes, "\(checks.count) checks")
    // The check is up to a sixteenth late, and the first preview comes a tenth of a second later.
    #expect((4_000...4_400).contains(firstPreview.value), "\(firstPreview.value)")
  }
}
