internal import Testing

@testable internal import CellophaneHTTP

@Suite struct HTTPDateTests {
  /// 2026-01-01.
  private static let now: Int64 = 1_767_225_600

  @Test(
    arguments: [
      // The three formats of RFC 9110, section 5.6.7.
      ("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777),
      ("Sunday, 06-Nov-94 08:49:37 GMT", 784_111_777),
      ("Sun Nov  6 08:49:37 1994", 784_111_777),
      ("Sun Nov 16 08:49:37 1994", 784_975_777),
      ("Thu, 01 Jan 1970 00:00:00 GMT", 0),
      ("Wed, 31 Dec 1969 23:59:59 GMT", -1),
      ("Tue, 29 Feb 2000 12:00:00 GMT", 951_825_600),
      ("Sat, 31 Dec 2016 23:59:60 GMT", 1_483_228_800),
      ("Tue, 19 Jan 2038 03:14:08 GMT", 2_147_483_648),
      ("Fri, 31 Dec 9999 23:59:59 GMT", 253_402_300_799),
      ("Mon, 01 Jan 0001 00:00:00 GMT", -62_135_596_800),
      // In any case, and with UTC instead of GMT (RFC 9111, section 4.2).
      ("SUN, 06 nov 1994 08:49:37 gmt", 784_111_777), ("Sun, 06 Nov 1994 08:49:37 UTC", 784_111_777),
      ("sunday, 06-NOV-94 08:49:37 Utc", 784_111_777), ("sun nov  6 08:49:37 1994", 784_111_777),
      // A year of two digits more than 50 years ahead is in the century before.
      ("Wednesday, 01-Jan-76 00:00:00 GMT", 3_345_062_400),
      ("Saturday, 01-Jan-77 00:00:00 GMT", 220_924_800),
    ] as [(String, Int64)])
  func `the three formats of RFC 9110 are read`(text: String, expected: Int64) {
    #expect(HTTPDate.parse(text, now: Self.now) == expected)
  }

  @Test(arguments: [
    "", "0", "-1", "GMT", "now", "Sun, 06 Nov 1994 08:49:37", "Sun, 06 Nov 1994 08:49:37 EST",
    "Sun, 06 Nov 1994 08:49:37 +0000", "Sun, 6 Nov 1994 08:49:37 GMT", "Sun, 06 Nox 1994 08:49:37 GMT",
    "Son, 06 Nov 1994 08:49:37 GMT", "Sun 06 Nov 1994 08:49:37 GMT", "Sun, 00 Nov 1994 08:49:37 GMT",
    "Sun, 31 Nov 1994 08:49:37 GMT", "Wed, 29 Feb 1900 08:49:37 GMT", "Sun, 06 Nov 1994 24:00:00 GMT",
    "Sun, 06 Nov 1994 08:60:00 GMT", "Sun, 06 Nov 1994 08:49:61 GMT", "Sun, 06 Nov 1994 8:49:37 GMT",
    "Sun, 06 Nov 1994 08:49 GMT", "Sun, 06 Nov 0000 08:49:37 GMT", "Sun, 06 Nov 99999 08:49:37 GMT",
    "Sun, 06 Nov 1994 08:49:37 GMT ", " Sun, 06 Nov 1994 08:49:37 GMT", "Sun,  6 Nov 1994 08:49:37 GMT",
    "Sunday, 06-Nov-1994 08:49:37 GMT", "Sun, 06-Nov-94 08:49:37 GMT", "Sunday, 06-Nov-9４ 08:49:37 GMT",
    "Sun Nov 6 08:49:37 1994", "Sun Nov   6 08:49:37 1994", "Sun, +6 Nov 1994 08:49:37 GMT",
    String(repeating: "Sun, 06 Nov 1994 08:49:37 GMT ", count: 1_000),
  ])
  func `other dates are refused`(text: String) {
    #expect(HTTPDate.parse(text, now: Self.now) == nil)
  }

  @Test func `a two-digit year does not overflow with an extreme clock`() {
    for now in [Int64.min, Int64.max] {
      #expect(HTTPDate.parse("Sunday, 06-Nov-94 08:49:37 GMT", now: now) != nil)
    }
  }
}
