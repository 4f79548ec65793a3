internal import Testing

@testable internal import CellophaneHTTP

@Suite struct CacheControlTests {
  struct Row: Sendable, CustomTestStringConvertible {
    var field: String
    var maxAge: Int64?
    var noStore = false
    var noCache = false
    var others = ""
    var testDescription: String { field }
  }

  @Test(arguments: [
    Row(field: ""),
    Row(field: "max-age=60", maxAge: 60),
    Row(field: "MAX-AGE=60", maxAge: 60),
    Row(field: "max-age=\"60\"", maxAge: 60),
    Row(field: "max-age=0", maxAge: 0),
    Row(field: "max-age=00060", maxAge: 60),
    Row(field: " ,, public ,\tmax-age=60 , ", maxAge: 60),
    // The first of several directives applies.
    Row(field: "max-age=60, max-age=10", maxAge: 60),
    Row(field: "max-age=x, max-age=10", maxAge: 0),
    // Not a number: stale.
    Row(field: "max-age", maxAge: 0),
    Row(field: "max-age=", maxAge: 0),
    Row(field: "max-age=-1", maxAge: 0),
    Row(field: "max-age=+1", maxAge: 0),
    Row(field: "max-age=1.5", maxAge: 0),
    Row(field: "max-age=0x10", maxAge: 0),
    Row(field: "max-age=6 0", maxAge: 0),
    Row(field: "max-age = 60", maxAge: 0),
    Row(field: "max-age=\"60\"0", maxAge: 0),
    Row(field: "max-age=6\"0\"", maxAge: 0),
    Row(field: "max-age=\"60", maxAge: 0),
    Row(field: "max-age=\"6\\0\"", maxAge: 60),
    Row(field: "no-store = 1, \"a,b\"", noStore: true),
    Row(field: "\"max-age=60\", no-store", noStore: true),
    // An unclosed quote hides no directive; a closed one does.
    Row(field: "max-age=60, x=\"a, no-store", maxAge: 60, noStore: true),
    Row(field: "max-age=60, x=\"a, no-store\"", maxAge: 60),
    // Too large for 2^31 and for 64 bits: RFC 9111, section 1.2.2.
    Row(field: "max-age=2147483647", maxAge: 2_147_483_647),
    Row(field: "max-age=2147483649", maxAge: 2_147_483_648),
    Row(field: "max-age=99999999999999999999999999", maxAge: 2_147_483_648),
    // For shared caches, or unknown.
    Row(field: "s-maxage=60"),
    Row(
      field: "min-fresh=5, max-stale=6, only-if-cached, stale-if-error=7, stale-while-revalidate=\"8\"",
      others: "min-fresh 5 max-stale 6 if-error 7 while-revalidate 8 only-if-cached"),
    Row(field: "min-fresh=5, min-fresh=6, MAX-STALE", others: "min-fresh 5 max-stale 2147483648"),
    Row(
      field: "min-fresh, max-stale=, stale-if-error, stale-while-revalidate=-1",
      others: "min-fresh 2147483648 max-stale 0 if-error 0 while-revalidate 0"),
    Row(field: "must-revalidate", others: "must-revalidate"),
    Row(field: "proxy-revalidate, x=\"must-revalidate, only-if-cached\""),
    Row(field: "xmax-age=60, max-age2=60, private, must-revalidates, =, ===, \"\""),
    Row(field: "no-store", noStore: true),
    Row(field: "No-Store=1", noStore: true),
    Row(field: "private,no-store,max-age=5", maxAge: 5, noStore: true),
    Row(field: "no-storey, no_store"),
    Row(field: "no-cache", noCache: true),
    Row(field: "no-cache=\"set-cookie, x\", max-age=5", maxAge: 5, noCache: true),
    // Quoted text is a value and holds no directives.
    Row(field: "x=\"no-store, max-age=1\", max-age=2", maxAge: 2),
    Row(field: "x=\"a\\\", no-store\", max-age=2", maxAge: 2),
    Row(field: "x=\"a\\\\\", no-store", noStore: true),
    Row(field: "x=\"unfinished, no-store", noStore: true),
    Row(field: "x=\"\\"),
  ])
  func `directives are read as RFC 9111 specifies`(row: Row) {
    let control = CacheControl(["cache-control": row.field])
    #expect(control.maxAge == row.maxAge)
    #expect(control.noStore == row.noStore)
    #expect(control.noCache == row.noCache)
    let numbers = [
      ("min-fresh", control.minFresh), ("max-stale", control.maxStale), ("if-error", control.staleIfError),
      ("while-revalidate", control.staleWhileRevalidate),
    ]
    let flags = [("must-revalidate", control.mustRevalidate), ("only-if-cached", control.onlyIfCached)]
    let others =
      numbers.compactMap { name, number in number.map { "\(name) \($0)" } }
      + flags.compactMap { name, isSet in isSet ? name : nil }
    #expect(others.joined(separator: " ") == row.others)
  }

  @Test func `several Cache-Control fields form one list`() {
    let control = CacheControl(["cache-control": "max-age=60", "x": "no-store", "Cache-Control": "no-cache"])
    #expect(control.maxAge == 60 && control.noCache && !control.noStore)
  }
}
