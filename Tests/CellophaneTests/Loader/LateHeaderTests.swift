internal import Cellophane
internal import CellophaneTesting
internal import TestSupport
internal import Testing

/// Needs `headerBytes` before it knows what decoding takes, and notes how often it is asked, about how much.
private struct LateHeaderDecoder: ResourceDecoder {
  static let headerBytes = 4_000
  let looks = Shared<[Int]>([])

  func workingBytes(for bytes: [UInt8], options: Int) throws(LoadError) -> Int {
    looks.update { $0.append(bytes.count) }
    guard bytes.count >= Self.headerBytes else { throw LoadError(.truncated, "the header is not whole") }
    return 8
  }

  func decode(_ bytes: [UInt8], options: Int) throws(LoadError) -> Int { bytes.count }
  func cost(of value: Int) -> Int { 8 }
  func incremental(options: Int) -> (any IncrementalDecoding<Int>)? { Count() }

  private final class Count: IncrementalDecoding {
    private var fed = 0

    func feed(_ piece: [UInt8]) -> Bool {
      fed += piece.count
      return true
    }

    func preview() -> Int? { -fed }
    func finish() -> Int { fed }
  }
}

@Suite("A header that arrives late, in virtual time")
struct LateHeaderTests {
  @Test("byte by byte it is looked at in growing steps, and previews begin soon after it is whole")
  func growingSteps() async throws {
    let time = VirtualTime()
    let timeline = time.timeline()
    let transport = ScriptedTransport(timeline: timeline) { request in
      .init(
        pieces: Array(repeating: .init(1, pause: .milliseconds(1)), count: 6_000),
        .success(TransportResponse(status: 200, body: Array(repeating: 1, count: 6_000), url: request.url)))
    }
    let decoder = LateHeaderDecoder()
    let loader = ResourceLoader(
      bytes: ByteLoader(transport: transport, timeline: timeline), decoder: decoder)
    let request = try Request("http://origin/late", options: 1)
    let first = Shared(0)
    let value = Shared(0)
    timeline.spawn {
      let loaded = try? await loader.load(request) { preview in
        first.update { $0 = $0 == 0 ? -preview : $0 }
      }
      value.value = loaded?.value ?? -1
    }
    time.run()
    #expect(value.value == 6_000)
    let looks = decoder.looks.value
    // Steps of a sixteenth sum up to seventeen times the header; looking at each byte would be 2 000 times.
    #expect(looks.reduce(0, +) < 20 * LateHeaderDecoder.headerBytes, "\(looks.count) looks")
    // A sixteenth after the header, and a tenth of a second until the first preview.
    #expect((4_000...4_400).contains(first.value), "\(first.value)")
  }
}
