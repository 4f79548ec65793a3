internal import CellophaneHTTP
internal import Testing

@Suite struct FreshnessTests {
  /// Sun, 06 Nov 1994 08:49:37 GMT.
  private static let date: Int64 = 784_111_777

  struct Row: Sendable, CustomTestStringConvertible {
    var headers: HeaderFields
    var status = 200
    /// The seconds for which the response, stored at `date`, is fresh.
    var freshFor: Int64
    var testDescription: String { "\(status) \(headers.fields.map { "\($0.name): \($0.value)" })" }
  }

  @Test(arguments: [
    Row(headers: [:], freshFor: 0),
    Row(headers: ["cache-control": "max-age=60"], freshFor: 60),
    Row(headers: ["cache-control": "max-age=60"], status: 500, freshFor: 60),
    Row(headers: ["cache-control": "max-age=0"], freshFor: 0),
    Row(headers: ["cache-control": "max-age=60, no-cache"], freshFor: 0),
    Row(headers: ["cache-control": "max-age=60", "vary": "accept, *"], freshFor: 0),
    Row(headers: ["cache-control": "max-age=60", "vary": "accept"], freshFor: 60),
    Row(headers: ["cache-control": "s-maxage=60"], freshFor: 0),
    // The age that upstream caches counted.
    Row(headers: ["cache-control": "max-age=60", "age": "20"], freshFor: 40),
    Row(headers: ["cache-control": "max-age=60", "age": "20, 50"], freshFor: 40),
    Row(headers: ["cache-control": "max-age=60", "age": "60"], freshFor: 0),
    Row(headers: ["cache-control": "max-age=60", "age": "99999999999999999999"], freshFor: 0),
    Row(headers: ["cache-control": "max-age=60", "age": "-20"], freshFor: 60),
    Row(headers: ["cache-control": "max-age=60", "age": "old"], freshFor: 60),
    // By its Date the response is 30 s old; the larger age counts.
    Row(headers: ["cache-control": "max-age=60", "date": "Sun, 06 Nov 1994 08:49:07 GMT"], freshFor: 30),
    Row(
      headers: ["cache-control": "max-age=60", "age": "40", "date": "Sun, 06 Nov 1994 08:49:07 GMT"],
      freshFor: 20),
    Row(headers: ["cache-control": "max-age=60", "date": "Sun, 06 Nov 1994 09:49:37 GMT"], freshFor: 60),
    // Expires counts from Date or, without one, from the time of storage.
    Row(headers: ["expires": "Sun, 06 Nov 1994 08:50:37 GMT"], freshFor: 60),
    Row(headers: ["expires": "Sun, 06 Nov 1994 08:50:37 GMT", "age": "20"], freshFor: 40),
    Row(
      headers: ["expires": "Sun, 06 Nov 1994 09:50:37 GMT", "date": "Sun, 06 Nov 1994 09:49:37 GMT"],
      freshFor: 60),
    Row(headers: ["expires": "Sun, 06 Nov 1994 08:49:37 GMT"], freshFor: 0),
    Row(headers: ["expires": "Sun, 06 Nov 1904 08:49:37 GMT"], freshFor: 0),
    // A zone other than GMT, in any format and case (RFC 9111, section 4.2).
    Row(headers: ["expires": "Sun, 06 Nov 1994 08:50:37 UTC"], freshFor: 0),
    Row(headers: ["expires": "Sun, 06 Nov 1994 08:50:37 utc"], freshFor: 0),
    Row(headers: ["expires": "Sunday, 06-Nov-94 08:50:37 UTC"], freshFor: 0),
    Row(headers: ["expires": "Sun, 06 Nov 1994 08:50:37 UT"], freshFor: 0),
    Row(headers: ["expires": "Sun, 06 Nov 1994 08:50:37 CET"], freshFor: 0),
    Row(headers: ["expires": "Sun, 06 Nov 1994 08:50:37 +0000"], freshFor: 0),
    Row(headers: ["expires": "Sun, 06 Nov 1994 08:50:37 UTC", "cache-control": "max-age=5"], freshFor: 5),
    Row(
      headers: [
        "expires": "Sun, 06 Nov 1994 08:50:37 UTC", "last-modified": "Sun, 06 Nov 1904 08:49:37 GMT",
      ], freshFor: 0),
    Row(headers: ["expires": "sun, 06 nov 1994 08:50:37 gmt"], freshFor: 60),
    Row(headers: ["expires": "0", "last-modified": "Sun, 06 Nov 1904 08:49:37 GMT"], freshFor: 0),
    Row(headers: ["expires": "Sun, 06 Nov 1994 08:50:37 GMT", "cache-control": "max-age=5"], freshFor: 5),
    Row(headers: ["expires": "Sun, 06 Nov 1994 08:50:37 GMT", "cache-control": "max-age=x"], freshFor: 0),
    Row(headers: ["expires": "Sun, 06 Nov 1994 08:50:37 GMT", "cache-control": "private"], freshFor: 60),
    // A tenth of the time since the last change: 1 000 s ago, then years ago.
    Row(headers: ["last-modified": "Sun, 06 Nov 1994 08:32:57 GMT"], freshFor: 100),
    Row(headers: ["last-modified": "Sun, 06 Nov 1994 08:32:57 GMT"], status: 404, freshFor: 100),
    Row(headers: ["last-modified": "Sun, 06 Nov 1994 08:32:57 GMT"], status: 302, freshFor: 0),
    Row(headers: ["last-modified": "Sun, 06 Nov 1904 08:32:57 GMT"], freshFor: 86_400),
    Row(headers: ["last-modified": "Sun, 06 Nov 1995 08:32:57 GMT"], freshFor: 0),
    Row(headers: ["last-modified": "long ago"], freshFor: 0),
  ])
  func `a response is fresh for its lifetime and not a second longer`(row: Row) {
    let response = StoredResponse(status: row.status, headers: row.headers, body: [], storedAt: Self.date)
    #expect(response.isFresh(at: Self.date) == (row.freshFor > 0))
    #expect(response.isFresh(at: Self.date + row.freshFor - 1) == (row.freshFor > 0))
    #expect(!response.isFresh(at: Self.date + row.freshFor))
  }

  @Test func `a response from the future is stale`() {
    let response = StoredResponse(
      status: 200, headers: ["cache-control": "max-age=60"], body: [], storedAt: Self.date)
    #expect(!response.isFresh(at: Self.date - 1))
    #expect(!response.isFresh(at: .min))
  }

  @Test(arguments: [Int64.min, -1, 0, Int64.max]) func `extreme dates do not overflow`(storedAt: Int64) {
    for now in [Int64.min, 0, Int64.max] {
      for headers in [
        ["cache-control": "max-age=60"], ["expires": "Sun, 06 Nov 1994 08:50:37 GMT"],
        [
          "cache-control": "max-age=9999999999", "date": "Fri, 31 Dec 9999 23:59:59 GMT", "age": "9999999999",
        ],
        ["last-modified": "Mon, 01 Jan 0001 00:00:00 GMT"],
      ] as [HeaderFields] {
        let freshness = Freshness(status: 200, headers: headers, storedAt: storedAt)
        #expect(!freshness.isFresh(at: now) || freshness.remaining(at: now) > 0)
      }
    }
  }
}
