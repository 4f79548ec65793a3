internal import Testing

@testable internal import CellophaneHTTP

@Suite("Stored fields of a response") struct StoredFieldsTests {
  @Test(
    "fields of the connection and of the encoded body are not stored",
    arguments: [
      "connection", "content-encoding", "content-length", "content-range", "keep-alive", "proxy-authenticate",
      "proxy-authentication-info", "proxy-authorization", "proxy-connection", "te", "trailer",
      "transfer-encoding", "upgrade",
    ])
  func notStorable(name: String) {
    let fields: HeaderFields = ["etag": "1", name: "x", "vary": "a", name.uppercased(): "y", "vary": "b"]
    #expect(fields.storable == ["etag": "1", "vary": "a", "vary": "b"])
  }

  @Test(
    "fields with similar names are stored",
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
