@testable internal import Cellophane
@testable internal import CellophaneHTTP
internal import CellophaneTestOrigin
internal import CellophaneTesting
internal import Testing

@Suite("Bytes of header field values", .timeLimit(.minutes(1)))
struct FieldBytesTests {
  @Test("every byte survives a round trip, and no two bytes are equal")
  func roundTrip() {
    let values = (0...255 as ClosedRange<UInt8>).map { String(fieldBytes: [0x41, $0].span) }
    #expect(values.map(\.fieldBytes) == (0...255 as ClosedRange<UInt8>).map { [0x41, $0] })
    #expect(Set(values).count == 256)
    #expect(!values.contains { !$0.isFieldBytes })
  }

  @Test(
    "a value with characters beyond one byte is refused",
    arguments: ["\u{100}", "\u{FFFD}", "\u{1F600}", "e\u{301}"])
  func beyond(text: String) {
    #expect(!text.isFieldBytes)
    #expect((["a": text] as HeaderFields).defect?.contains("'a'") == true)
    #expect((["a": "\u{FF}\u{80}"] as HeaderFields).defect == nil)
  }

  @Test("a non-ASCII entity tag is sent back unchanged and equals no other tag")
  func tags() async throws {
    func steps(_ status: Int, _ tag: UInt8, _ body: String) -> [RawOrigin.Step] {
      let head = "HTTP/1.1 \(status) X\r\nCache-Control: max-age=0\r\nConnection: close\r\nETag: \""
      let length = status == 304 ? "" : "Content-Length: \(body.utf8.count)\r\n"
      return [.read, .send(Array(head.utf8) + [tag] + Array("\"\r\n\(length)\r\n\(body)".utf8))]
    }
    let responses = [
      steps(200, 0xE9, "1"), steps(304, 0xE9, ""), steps(304, 0xE8, ""), steps(200, 0xE8, "2"),
    ]
    let origin = try RawOrigin { responses[min($0, 3)] }
    defer { origin.stop() }
    let transport = CurlTransport()
    let bytes = ByteLoader(
      transport: transport, disk: DiskCache(directory: "/cache", fileSystem: MemoryFileSystem()))
    var bodies: [String] = []
    for _ in 0..<3 {
      let loaded = try await bytes.load(Request(origin.url("/"), options: 0))
      bodies.append(String(decoding: loaded.bytes, as: UTF8.self))
    }
    await transport.close()
    #expect(bodies == ["1", "1", "2"])
    let heads = origin.counters.heads
    #expect(heads.count == 4 && heads[1].lowercased().contains("if-none-match: \"\u{E9}\"\r\n"))
  }
}
