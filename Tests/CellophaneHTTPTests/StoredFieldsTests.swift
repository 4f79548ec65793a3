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

  @Test(
    "fields named by Connection are not stored",
    arguments: [
      (["a"], "b x-c etag"), (["a, b"], "x-c etag"), (["A,X-C"], "b etag"), (["close, a", "B"], "x-c etag"),
      ([" , x-c ,"], "a b etag"), (["keep-alive"], "a b x-c etag"), (["close"], "a b x-c etag"),
      (["etag, d"], "a b x-c"), ([#""a""#], "a b x-c etag"), (["a b"], "a b x-c etag"),
      ([""], "a b x-c etag"),
    ] as [([String], String)])
  func named(connection: [String], kept: String) {
    var fields: HeaderFields = ["a": "1", "b": "2", "x-c": "3", "etag": "4"]
    for value in connection { fields.append("connection", value) }
    #expect(fields.storable.fields.map(\.name).joined(separator: " ") == kept)
  }

  @Test(
    "Connection removes no field that limits the reuse of a response",
    arguments: ["age", "Cache-Control", "date", "expires", "vary"])
  func limits(name: String) {
    let fields: HeaderFields = [name: "x", "connection": name]
    #expect(fields.storable == [name: "x"])
  }
}
