internal import Testing

@testable internal import Cellophane

@Suite struct ResponseHeadTests {
  @Test func readsStatusAndFields() throws {
    let head = try #require(
      ResponseHead(
        Array("HTTP/1.1 206 Partial Content\r\nETag: \"a\"\r\nX-Two:  b c \r\nx-two:d\r\n\r\n".utf8)))
    #expect(head.status == 206)
    #expect(head.fields["etag"] == "\"a\"")
    #expect(head.fields.values(of: "X-TWO") == ["b c", "d"])
  }

  @Test(arguments: [
    ("HTTP/2 404\r\n\r\n", 404), ("HTTP/1.1  200 OK\r\n\r\n", 200), ("HTTP/1.1\r\n\r\n", 0),
    ("HTTP/1.0 99999999999999999999\n\n", 0), ("HTTP/1.1 200", 200),
  ])
  func statusLines(text: String, status: Int) throws {
    #expect(try #require(ResponseHead(Array(text.utf8))).status == status)
  }

  @Test func trailersAreNoHead() {
    #expect(ResponseHead(Array("Server-Timing: x\r\n\r\n".utf8)) == nil)
    #expect(ResponseHead([]) == nil)
  }

  @Test func linesThatAreNoFieldsArePassedOver() throws {
    let head = try #require(
      ResponseHead(Array("HTTP/1.1 200 OK\r\nnonsense\r\na: 1\r\n b: folded\r\n: empty\r\n\r\n".utf8)))
    #expect(head.fields.values(of: "a") == ["1"])
    #expect(head.fields["b"] == nil)
  }

  @Test(
    arguments: [
      (200, "12", 12), (200, "0", 0), (404, "7", 7), (304, "12", nil), (204, "12", nil), (200, "", nil),
      (200, "-1", nil), (200, "1,1", nil), (200, "9223372036854775807", Int.max),
      (200, "99999999999999999999", Int.max),
    ] as [(Int, String, Int?)])
  func lengths(status: Int, text: String, length: Int?) throws {
    let head = try #require(
      ResponseHead(Array("HTTP/1.1 \(status) X\r\nContent-Length: \(text)\r\n\r\n".utf8)))
    #expect(head.length == length)
  }

  @Test(arguments: [
    (301, true), (302, true), (303, true), (307, true), (308, true), (300, false), (304, false),
  ])
  func redirects(status: Int, isRedirect: Bool) throws {
    let text = "HTTP/1.1 \(status) X\r\nLocation: /b\r\n\r\n"
    #expect(try #require(ResponseHead(Array(text.utf8))).isRedirect == isRedirect)
    #expect(try #require(ResponseHead(Array("HTTP/1.1 \(status) X\r\n\r\n".utf8))).isRedirect == false)
  }
}
