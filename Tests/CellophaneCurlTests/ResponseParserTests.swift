internal import Testing

@testable internal import CellophaneCurl

@Suite("Heads that arrive line by line") struct ResponseParserTests: ~Copyable {
  private var parser = ResponseParser(limits: TransferLimits(), body: StreamingBody())
  private let cache = HeaderFieldCache()

  private mutating func take(_ lines: String...) -> [ResponseParser.HeadProgress] {
    lines.map {
      parser.takeLine(Array($0.utf8).span, cache: cache, at: .zero, from: { "the origin" })
    }
  }

  @Test("interim heads and trailers are not the response") mutating func finalHead() {
    #expect(
      take("HTTP/1.1 103 Early Hints\r\n", "Link: </a>\r\n", "\r\n") == [.unchanged, .unchanged, .unchanged])
    #expect(parser.isHeadComplete == false)
    #expect(take("HTTP/1.1 200 OK\r\n", "ETag: \"a\"\r\n", "\r\n") == [.unchanged, .unchanged, .response])
    #expect(take("ETag: \"b\"\r\n", "\r\n") == [.unchanged, .unchanged])
    #expect(parser.head.fields == ["etag": "\"a\""] && parser.isHeadComplete)
  }

  @Test("a redirect needs a Location") mutating func redirect() {
    #expect(take("HTTP/1.1 302 Found\n", "Location: /b\n", "\n") == [.unchanged, .unchanged, .redirect])
    #expect(take("X: y\r\n", "\r\n") == [.unchanged, .redirect])
    parser = ResponseParser(limits: TransferLimits(), body: StreamingBody())
    #expect(take("HTTP/1.1 302 Found\r\n", "\r\n") == [.unchanged, .response])
  }

  @Test("the first byte is timed once, and an empty call ends no head") mutating func firstByte() {
    var reads = 0
    for text in ["HTTP/1.1 200 OK\r\n", "", "A: b\r\n", "\r\n"] {
      let line = parser.takeLine(
        Array(text.utf8).span, cache: cache,
        at: {
          reads += 1
          return .seconds(reads)
        }(), from: { "the origin" })
      #expect(line == (text == "\r\n" ? .response : .unchanged))
    }
    #expect(reads == 1 && parser.firstByteAt == .seconds(1))
  }

  @Test("endless heads are refused") mutating func endless() {
    for _ in 0..<ResponseHead.maxLines { #expect(take("A: b\r\n") == [.unchanged]) }
    #expect(take("A: b\r\n") == [.failed] && parser.failure?.kind == .malformedResponse)
    parser = ResponseParser(limits: TransferLimits(), body: StreamingBody())
    let long = String(repeating: "a", count: ResponseHead.maxBytes)
    #expect(take(long) == [.unchanged] && parser.failure == nil)
    #expect(take("b") == [.failed] && parser.failure?.kind == .malformedResponse)
  }
}
