@testable internal import Cellophane
internal import CellophaneTestOrigin
internal import Testing

@Suite("Connection and framing fields of a request", .timeLimit(.minutes(1)))
struct FramingFieldsTests {
  /// Fields that could change how the peer reads later bytes on a shared connection.
  static let refused: [(name: String, value: String)] = [
    ("Content-Length", "40"), ("content-length", "0"), ("Transfer-Encoding", "chunked"),
    ("Connection", "close"),
    ("Keep-Alive", "timeout=9"), ("Proxy-Connection", "keep-alive"), ("TE", "trailers"), ("Trailer", "etag"),
    ("Upgrade", "h2c"), ("Expect", "100-continue"), ("EXPECT", ""),
  ]

  @Test("the error names the field, and no byte is sent", arguments: refused)
  func refusal(field: (name: String, value: String)) async throws {
    var headers: HeaderFields = ["accept": "image/png"]
    headers.append(field.name, field.value)
    let origin = try RawOrigin { _ in [.read] }
    defer { origin.stop() }
    let url = origin.url("/")
    let request = #expect(throws: LoadError.self) { try Request(url, headers: headers, options: 0) }
    let transport = CurlTransport()
    let exchange = await #expect(throws: LoadError.self) {
      try await transport.exchange(TransportRequest(url: url, headers: headers))
    }
    await transport.close()
    origin.stop()
    for error in [request, exchange] {
      #expect(error?.kind == .invalidRequest)
      #expect(error?.message.contains("'\(field.name.lowercased())'") == true, "\(error?.message ?? "")")
    }
    #expect(origin.counters.connections == 0)
  }

  @Test("fields with similar names are allowed")
  func others() throws {
    let headers: HeaderFields = [
      "Content-Type": "a/b", "Transfer": "chunked", "Connections": "2", "Upgrade-Insecure-Requests": "1",
      "Host": "example.com", "Expected": "1",
    ]
    #expect(headers.requestDefect == nil)
    #expect(throws: Never.self) { try Request("http://a/", headers: headers, options: 0) }
  }
}
