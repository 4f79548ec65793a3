internal import Testing

@testable internal import Cellophane

@Suite("Heads arrive line by line") struct ResponseParserTests {
  private var reception = ResponseParser(limits: TransferLimits(), body: StreamingBody())
  private let known = KnownFields()

  private mutating func take(_ lines: String...) -> [ResponseParser.HeadLine] {
    lines.map {
      reception.takeLine(Array($0.utf8).span, known: known, at: .zero, from: { "the origin" })
    }
  }

  @Test("what is said in the meantime, and trailers, are no answer") mutating func answer() {
    #expect(take("HTTP/1.1 103 Early Hints\r\n", "Link: </a>\r\n", "\r\n") == [.within, .within, .within])
    #expect(!reception.isHeadWhole)
    #expect(take("HTTP/1.1 200 OK\r\n", "ETag: \"a\"\r\n", "\r\n") == [.within, .within, .answer])
    #expect(take("ETag: \"b\"\r\n", "\r\n") == [.within, .within])
    #expect(reception.head.fields == ["etag": "\"a\""] && reception.isHeadWhole)
  }

  @Test("a redirect is one when it says where to") mutating func redirect() {
    #expect(take("HTTP/1.1 302 Found\n", "Location: /b\n", "\n") == [.within, .within, .redirect])
    #expect(take("X: y\r\n", "\r\n") == [.within, .redirect])
    reception = ResponseParser(limits: TransferLimits(), body: StreamingBody())
    #expect(take("HTTP/1.1 302 Found\r\n", "\r\n") == [.within, .answer])
  }

  @Test("the first byte comes once, and nothing at all ends no head") mutating func firstByte() {
    var asked = 0
    for text in ["HTTP/1.1 200 OK\r\n", "", "A: b\r\n", "\r\n"] {
      let line = reception.takeLine(
        Array(text.utf8).span, known: known,
        at: {
          asked += 1
          return .seconds(asked)
        }(), from: { "the origin" })
      #expect(line == (text == "\r\n" ? .answer : .within))
    }
    #expect(asked == 1 && reception.firstByteAt == .seconds(1))
  }

  @Test("heads without end are refused") mutating func endless() {
    for _ in 0..<ResponseHead.mostLines { #expect(take("A: b\r\n") == [.within]) }
    #expect(take("A: b\r\n") == [.refused] && reception.failure?.kind == .malformedResponse)
    reception = ResponseParser(limits: TransferLimits(), body: StreamingBody())
    let long = String(repeating: "a", count: ResponseHead.largest)
    #expect(take(long) == [.within] && reception.failure == nil)
    #expect(take("b") == [.refused] && reception.failure?.kind == .malformedResponse)
  }
}
