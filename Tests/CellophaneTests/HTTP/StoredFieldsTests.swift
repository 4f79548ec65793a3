internal import Testing

@testable internal import Cellophane

@Suite("What is kept of the fields of a response") struct StoredFieldsTests {
  @Test(
    "all but those of one connection, and of a body as it came",
    arguments: [
      "connection", "content-encoding", "content-length", "content-range", "keep-alive", "proxy-authenticate",
      "proxy-authentication-info", "proxy-authorization", "proxy-connection", "te", "trailer",
      "transfer-encoding", "upgrade",
    ])
  func ofMessage(name: String) {
    let fields: HeaderFields = ["etag": "1", name: "x", "vary": "a", name.uppercased(): "y", "vary": "b"]
    #expect(fields.storable == ["etag": "1", "vary": "a", "vary": "b"])
  }

  @Test(
    "those that are called nearly so",
    arguments: [
      "cache-control", "connections", "content-language", "content-type", "keep", "pragma", "proxy",
      "proxy-status",
      "tea", "transfer", "upgrade-insecure-requests",
    ])
  func storable(name: String) {
    let fields: HeaderFields = [name: "x", "a": "1", name: "y"]
    #expect(fields.storable == fields)
  }
}
