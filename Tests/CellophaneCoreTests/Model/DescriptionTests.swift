internal import CellophaneCore
internal import CellophaneHTTP
internal import CellophaneImages
internal import Foundation
internal import Testing

@Suite("Descriptions in one line")
struct DescriptionTests {
  private let large = [UInt8](repeating: 7, count: 100_000)

  private func dumped(_ value: some Any) -> String {
    var text = ""
    dump(value, to: &text)
    return text
  }

  @Test("values with a body print its size only, also inside of other values")
  func bodies() {
    let transport = TransportResponse(status: 200, headers: ["a": "b"], body: large, url: "http://h/")
    let stored = StoredResponse(status: 404, headers: ["a": "b"], body: large, storedAt: 3)
    #expect("\(transport)" == "TransportResponse(200, 100000 bytes, http://h/)")
    #expect("\(stored)" == "StoredResponse(404, 100000 bytes)")
    for text in ["\([transport])", "\(Optional(stored) as Any)", dumped(transport), dumped([stored])] {
      #expect(text.count < 500, "\(text.prefix(600))")
    }
  }

  @Test("requests print no credential")
  func requests() throws {
    let headers: HeaderFields = [
      "Authorization": "Bearer s3cret", "Cookie": "s3cret", "X-Api-Key": "s3cret", "Accept": "a/b",
    ]
    let request = try Request("http://h/a", headers: headers, options: NoOptions(), priority: .visible)
    #expect("\(request)" == "Request(http://h/a, visible)")
    #expect("\(request.key)" == "http://h/a" && "\(request.key.response)" == "http://h/a")
    #expect(
      "\(headers)" == "authorization: …, cookie: …, x-api-key: …, accept: a/b")
    let transport = TransportRequest(url: "http://h/a", headers: headers)
    for text in ["\(transport)", "\([request])", "\(headers.fields)", String(reflecting: headers)] {
      #expect(!text.contains("s3cret"), "\(text)")
    }
  }

  @Test("requests for images print size and mode")
  func images() throws {
    let size = PixelSize(width: 96, height: 64)
    #expect(
      "\(try ImageRequest("http://h/a", size: size, mode: .fill))"
        == "Request(http://h/a, 96x64 fill, normal)")
    #expect("\(try ImageRequest("http://h/a"))" == "Request(http://h/a, full size, normal)")
    let options = ImageOptions(
      filter: .lanczos3, enlarges: true, appliesOrientation: false, allowsPartial: true)
    #expect("\(options)" == "full size lanczos3 enlarges as stored partial")
  }

  @Test("header fields are a sequence")
  func headers() {
    let fields: HeaderFields = ["A": "1", "B": "2", "a": "3"]
    #expect(fields.map(\.name) == ["a", "b", "a"] && fields.count == 3 && !fields.isEmpty)
    var values: [String] = []
    for field in fields where field.name == "a" { values.append(field.value) }
    #expect(values == ["1", "3"] && fields.contains { $0.value == "2" })
    #expect(Array(HeaderFields()).isEmpty)
  }
}

@Suite("Equal requests and requests for images")
struct RequestEqualityTests {
  @Test("requests are equal when all of their parts are")
  func equality() throws {
    let request = try ImageRequest("http://h/a", size: PixelSize(width: 9, height: 9))
    #expect(try request == ImageRequest("http://H/a#b", size: PixelSize(width: 9, height: 9)))
    var others = try [
      ImageRequest("http://h/b", size: PixelSize(width: 9, height: 9)), ImageRequest("http://h/a"),
      ImageRequest(
        "http://h/a", size: PixelSize(width: 9, height: 9), headers: ["cache-control": "max-age=1"]),
      ImageRequest("http://h/a", size: PixelSize(width: 9, height: 9), account: "x"),
      ImageRequest("http://h/a", size: PixelSize(width: 9, height: 9), cachePolicy: .reload),
      ImageRequest("http://h/a", size: PixelSize(width: 9, height: 9), deadline: .seconds(1)),
      request.with(priority: .visible),
    ]
    var row = request
    row.row = 3
    others.append(row)
    #expect(others.allSatisfy { $0 != request } && Set(others + [request]).count == others.count + 1)
  }

  @Test("a URL and a string with the same parts give the same request")
  func urls() throws {
    let url = try #require(URL(string: "https://h/a?b=c"))
    let size = PixelSize(width: 3, height: 4)
    let a = try ImageRequest(
      url, size: size, mode: .exact, headers: ["x": "y"], account: "me", priority: .prefetch,
      cachePolicy: .offline, deadline: .seconds(2))
    let b = try ImageRequest(
      "https://h/a?b=c", size: size, mode: .exact, headers: ["x": "y"], account: "me", priority: .prefetch,
      cachePolicy: .offline, deadline: .seconds(2))
    #expect(a == b && a.options == ImageOptions(targetSize: size, mode: .exact))
    #expect(a.key.response.headers == ["x": "y"] && a.deadline == .seconds(2) && a.priority == .prefetch)
    #expect(a.decoded(with: NoOptions()).deadline == .seconds(2))
  }

  @Test("configurations have initializers with all of their parts")
  func configurations() {
    let limits = TransferLimits(bodyBytes: 7, total: .seconds(3))
    #expect(limits.bodyBytes == 7 && limits.total == .seconds(3) && limits.redirects == 20)
    #expect(TransferLimits() == TransferLimits(connect: .seconds(10), firstByte: .seconds(30)))
    let decoding = DecodingLimits(decoders: 3, maxWaiting: 9)
    #expect(decoding.decoders == 3 && decoding.maxWaiting == 9)
    #expect(decoding.workingBytes == DecodingLimits().workingBytes && DecodingLimits().maxWaiting == nil)
  }
}
