@testable internal import Cellophane
internal import CellophaneTesting
internal import Testing

@Suite("HTTP semantics of a private cache, line by line, in virtual time")
struct HTTPSemanticsTests {
  // What the origin sees.
  private static let plain = ""
  private static let tag = "if-none-match: \"a\""
  private static let monday = "Mon, 11 Jan 2027 08:00:00 GMT"
  private static let date = "if-modified-since: \(monday)"

  // Every line: name, first answer, seconds later, … what the origin sees, what the caller gets, what is on disk.
  // swift-format-ignore
  private static let freshness = [
    HTTPCase("max-age, within", "Cache-Control: max-age=60", after: 59, sees: [], gets: "1 disk", onDisk: 1),
    HTTPCase("max-age, at its end", "Cache-Control: max-age=60", after: 60, sees: [plain], gets: "2 network", onDisk: 2),
    HTTPCase("max-age without case", "cache-CONTROL: Max-AGE=60", after: 59, sees: [], gets: "1 disk", onDisk: 1),
    HTTPCase("max-age in quotes", "Cache-Control: max-age=\"60\"", after: 59, sees: [], gets: "1 disk", onDisk: 1),
    HTTPCase("the first max-age of two", "Cache-Control: max-age=60, max-age=1", after: 59, sees: [], gets: "1 disk", onDisk: 1),
    HTTPCase("the first max-age of two fields", "Cache-Control: max-age=1 | Cache-Control: max-age=60", after: 2, sees: [plain], gets: "2 network", onDisk: 2),
    HTTPCase("max-age below zero", "Cache-Control: max-age=-1", after: 0, sees: [plain], gets: "2 network", onDisk: 2),
    HTTPCase("max-age beyond 64 bits", "Cache-Control: max-age=99999999999999999999", after: 1 << 30, sees: [], gets: "1 disk", onDisk: 1),
    HTTPCase("max-age of 2^31 and no more", "Cache-Control: max-age=99999999999999999999", after: 1 << 31, sees: [plain], gets: "2 network", onDisk: 2),
    HTTPCase("max-age that is no number", "Cache-Control: max-age=1h", after: 0, sees: [plain], gets: "2 network", onDisk: 2),
    HTTPCase("max-age with a blank in its number", "Cache-Control: max-age=6 0", after: 0, sees: [plain], gets: "2 network", onDisk: 2),
    HTTPCase("max-age with a blank at its sign", "Cache-Control: max-age =60", after: 0, sees: [plain], gets: "2 network", onDisk: 2),
    HTTPCase("max-age with letters behind its quotes", "Cache-Control: max-age=\"60\"x", after: 0, sees: [plain], gets: "2 network", onDisk: 2),
    HTTPCase("max-age within another's quotes", "Cache-Control: x=\"a, max-age=60\"", after: 0, sees: [plain], gets: "2 network", onDisk: 2),
    HTTPCase("s-maxage is not ours", "Cache-Control: s-maxage=0, max-age=60", after: 59, sees: [], gets: "1 disk", onDisk: 1),
    HTTPCase("s-maxage alone", "Cache-Control: s-maxage=60", after: 0, sees: [plain], gets: "2 network", onDisk: 2),
    HTTPCase("private may be kept", "Cache-Control: private, max-age=60", after: 59, sees: [], gets: "1 disk", onDisk: 1),
    HTTPCase("nothing said", "200", after: 0, sees: [plain], gets: "2 network", onDisk: 2),
    HTTPCase("Age counts", "Cache-Control: max-age=60 | Age: 20", after: 39, sees: [], gets: "1 disk", onDisk: 1),
    HTTPCase("Age counts to the end", "Cache-Control: max-age=60 | Age: 20", after: 40, sees: [plain], gets: "2 network", onDisk: 2),
    HTTPCase("Age beyond 64 bits", "Cache-Control: max-age=60 | Age: 99999999999999999999", after: 0, sees: [plain], gets: "2 network", onDisk: 2),
    HTTPCase("Age that is no number", "Cache-Control: max-age=60 | Age: old", after: 59, sees: [], gets: "1 disk", onDisk: 1),
    HTTPCase("Date says that it is older", "Cache-Control: max-age=60 | Date: Fri, 15 Jan 2027 07:59:30 GMT", after: 30, sees: [plain], gets: "2 network", onDisk: 2),
    HTTPCase("Date of a fast clock", "Cache-Control: max-age=60 | Date: Fri, 15 Jan 2027 09:00:00 GMT", after: 60, sees: [plain], gets: "2 network", onDisk: 2),
    HTTPCase("what the answer took is age", "Cache-Control: max-age=60", after: 60, delay: 10, sees: [plain], gets: "2 network", onDisk: 2),
    HTTPCase("what the answer took is age, on top of Age", "Cache-Control: max-age=60 | Age: 20", after: 39, delay: 10, sees: [], gets: "1 disk", onDisk: 1),
    HTTPCase("an answer that took too long", "Cache-Control: max-age=10", after: 11, delay: 11, sees: [plain], gets: "2 network", onDisk: 2),
    HTTPCase("Expires, within", "Expires: Fri, 15 Jan 2027 08:01:00 GMT", after: 59, sees: [], gets: "1 disk", onDisk: 1),
    HTTPCase("Expires, at its end", "Expires: Fri, 15 Jan 2027 08:01:00 GMT", after: 60, sees: [plain], gets: "2 network", onDisk: 2),
    HTTPCase("Expires counts from Date", "Expires: Fri, 15 Jan 2027 09:01:00 GMT | Date: Fri, 15 Jan 2027 09:00:00 GMT", after: 60, sees: [plain], gets: "2 network", onDisk: 2),
    HTTPCase("Expires: 0", "Expires: 0", after: 0, sees: [plain], gets: "2 network", onDisk: 2),
    HTTPCase("Expires: 0 leaves no room for a heuristic", "Expires: 0 | Last-Modified: \(monday)", after: 0, sees: [date], gets: "2 network", onDisk: 2),
    HTTPCase("max-age goes before Expires", "Expires: Fri, 15 Jan 2027 09:00:00 GMT | Cache-Control: max-age=5", after: 5, sees: [plain], gets: "2 network", onDisk: 2),
    HTTPCase("a broken max-age goes before Expires", "Expires: Fri, 15 Jan 2027 09:00:00 GMT | Cache-Control: max-age=x", after: 0, sees: [plain], gets: "2 network", onDisk: 2),
    HTTPCase("a tenth of the time since Last-Modified", "Last-Modified: \(monday)", after: 34_559, sees: [], gets: "1 disk", onDisk: 1),
    HTTPCase("a tenth and no more", "Last-Modified: \(monday)", after: 34_560, sees: [date], gets: "2 network", onDisk: 2),
    HTTPCase("no heuristic beside max-age", "Last-Modified: \(monday) | Cache-Control: max-age=0", after: 0, sees: [date], gets: "2 network", onDisk: 2),
    HTTPCase("no heuristic for 201", "201 | Last-Modified: \(monday)", after: 0, sees: [date], gets: "2 network", onDisk: 2),
    HTTPCase("Vary: * is never fresh", "Cache-Control: max-age=60 | Vary: *", after: 0, sees: [plain], gets: "2 network", onDisk: 2),
  ]

  // swift-format-ignore
  private static let storing = [
    HTTPCase("no-store", "Cache-Control: no-store, max-age=60", after: 0, then: ["200 | Cache-Control: no-store"], sees: [plain], gets: "2 network", onDisk: nil),
    HTTPCase("no-store in another field", "Cache-Control: max-age=60 | Cache-Control: x, NO-STORE", after: 0, then: ["200 | Cache-Control: no-store"], sees: [plain], gets: "2 network", onDisk: nil),
    HTTPCase("no-store takes away what was there", "Cache-Control: max-age=1", after: 1, then: ["200 | Cache-Control: no-store"], sees: [plain], gets: "2 network", onDisk: nil),
    HTTPCase("no-store of a 304 takes away what was there", "ETag: \"a\"", after: 0, then: ["304 | Cache-Control: no-store"], sees: [tag], gets: "1 disk", onDisk: nil),
    HTTPCase("a request with no-store", "Cache-Control: max-age=60", after: 0, request: ["Cache-Control": "no-store"], sees: ["cache-control: no-store"], gets: "2 network", onDisk: nil),
    HTTPCase("nothing of a secret is kept", "Cache-Control: max-age=60", after: 0, request: ["Authorization": "x"], sees: ["authorization: x"], gets: "2 network", onDisk: nil),
    HTTPCase("an empty body is not kept", "Cache-Control: max-age=60 | empty", after: 0, sees: [plain], gets: "2 network", onDisk: 2),
    HTTPCase("204 is not kept", "204 | Cache-Control: max-age=60 | empty", after: 0, sees: [plain], gets: "2 network", onDisk: 2),
    HTTPCase("an empty body is given to who wants bytes, and takes away what was there", "ETag: \"a\"", after: 0, then: ["200 | empty"], sees: [tag], gets: " network", onDisk: nil),
    HTTPCase("a part that was asked for is given and not kept", "206 | Content-Range: bytes 0-0/3 | Cache-Control: max-age=60", after: 0, request: ["Range": "bytes=0-0"], then: ["206 | Content-Range: bytes 0-0/3"], sees: ["range: bytes=0-0"], gets: "2 network", onDisk: nil),
    HTTPCase("another part than what was asked for is no answer", "206 | Content-Range: bytes 1-1/3", after: 0, request: ["Range": "bytes=0-0"], then: ["206 | Content-Range: bytes 1-1/3"], sees: ["range: bytes=0-0"], gets: "malformed-response", onDisk: nil),
    HTTPCase("nor is a part that is not as long as it says", "500", after: 0, request: ["Range": "bytes=0-1"], then: ["206 | Content-Range: bytes 0-1/3"], sees: ["range: bytes=0-1"], gets: "malformed-response", onDisk: nil),
    HTTPCase("nor one that does not say which it is", "500", after: 0, request: ["Range": "bytes=0-0"], then: ["206"], sees: ["range: bytes=0-0"], gets: "malformed-response", onDisk: nil),
    HTTPCase("the end of what was asked for may be missing", "500", after: 0, request: ["Range": "bytes=1-9"], then: ["206 | Content-Range: bytes 1-1/2"], sees: ["range: bytes=1-9"], gets: "2 network", onDisk: nil),
    HTTPCase("the last bytes", "500", after: 0, request: ["Range": "bytes=-1"], then: ["206 | Content-Range: bytes 2-2/3"], sees: ["range: bytes=-1"], gets: "2 network", onDisk: nil),
    HTTPCase("others than the last bytes", "500", after: 0, request: ["Range": "bytes=-1"], then: ["206 | Content-Range: bytes 1-1/3"], sees: ["range: bytes=-1"], gets: "malformed-response", onDisk: nil),
    HTTPCase("several parts are the caller's business", "500", after: 0, request: ["Range": "bytes=0-0,2-2"], then: ["206 | Content-Type: multipart/byteranges; boundary=x"], sees: ["range: bytes=0-0,2-2"], gets: "2 network", onDisk: nil),
    HTTPCase("the whole in place of a part is the whole", "Cache-Control: max-age=60", after: 0, request: ["Range": "bytes=0-0"], sees: [], gets: "1 disk", onDisk: 1),
    HTTPCase("a part that nobody asked for is no answer", "Cache-Control: max-age=1", after: 1, then: ["206"], sees: [plain], gets: "malformed-response", onDisk: 1),
    HTTPCase("an error is not kept", "500", after: 0, sees: [plain], gets: "2 network", onDisk: 2),
    HTTPCase("404 takes away what was there", "ETag: \"a\"", after: 0, then: ["404"], sees: [tag], gets: "404", onDisk: nil),
    HTTPCase("410 takes away what was there", "ETag: \"a\"", after: 0, then: ["410"], sees: [tag], gets: "410", onDisk: nil),
    HTTPCase("404 to a reload, too", "Cache-Control: max-age=60", after: 0, policy: .reload, then: ["404"], sees: ["cache-control: no-cache"], gets: "404", onDisk: nil),
    HTTPCase("403 leaves what was there", "ETag: \"a\"", after: 0, then: ["403"], sees: [tag], gets: "403", onDisk: 1),
    HTTPCase("500 leaves what was there, and stale is not served", "ETag: \"a\" | Cache-Control: must-revalidate", after: 0, then: ["500"], sees: [tag], gets: "500", onDisk: 1),
    HTTPCase("a 200 behind a redirect that stays fresh as long is kept", "Cache-Control: max-age=9 | via: 302 max-age=9", after: 8, sees: [], gets: "1 disk", onDisk: 1),
    HTTPCase("behind one that is fresh for less it is not", "Cache-Control: max-age=9 | via: 302 max-age=8", after: 0, sees: [plain], gets: "2 network", onDisk: 2),
    HTTPCase("behind one that passes it answers no error once it is stale", "\(behind) | via: 302 max-age=2", after: 4, then: ["500"], sees: [plain], gets: "500", onDisk: 1),
    HTTPCase("nor whoever takes what is stale", "\(behind) | via: 302 max-age=2", after: 4, saying: "max-stale, stale-if-error=1000", then: ["500"], sees: ["cache-control: max-stale, stale-if-error=1000"], gets: "500", onDisk: 1),
    HTTPCase("nor offline", "\(behind) | via: 301 | via: 307 max-age=2", after: 4, policy: .offline, saying: "max-stale", sees: [], gets: "not-cached", onDisk: 1),
    HTTPCase("nor while it is refreshed", "Cache-Control: max-age=1, stale-while-revalidate=1000 | via: 301 max-age=2", after: 4, sees: [plain], gets: "2 network", onDisk: 2),
    HTTPCase("behind one that lasts it does, as it says", "\(behind) | via: 308", after: 4, then: ["500"], sees: [plain], gets: "1 stale", onDisk: 1),
    HTTPCase("behind one that varies by everything nothing is fresh", "\(behind) | via: 301 | via-vary: *", after: 0, sees: [plain], gets: "2 network", onDisk: 2),
    HTTPCase("nor when that one is fresh", "Cache-Control: max-age=9 | via: 302 max-age=9 | via-vary: *", after: 0, policy: .offline, sees: [], gets: "not-cached", onDisk: nil),
    HTTPCase("a 200 behind an unstable redirect takes away what was there", "Cache-Control: max-age=1", after: 1, then: ["200 | Cache-Control: max-age=60 | via: 302"], sees: [plain], gets: "2 network", onDisk: nil),
  ]

  // swift-format-ignore
  private static let validation = [
    HTTPCase("304 to a tag", "ETag: \"a\"", after: 1, then: ["304"], sees: [tag], gets: "1 disk", onDisk: 1),
    HTTPCase("200 to a tag", "ETag: \"a\"", after: 1, then: ["200 | ETag: \"b\""], sees: [tag], gets: "2 network", onDisk: 2),
    HTTPCase("a weak tag as it was", "ETag: W/\"a\"", after: 1, then: ["304 | ETag: W/\"a\""], sees: ["if-none-match: W/\"a\""], gets: "1 disk", onDisk: 1),
    HTTPCase("304 to a date as it was", "Cache-Control: max-age=0 | Last-Modified: Monday, 11-Jan-27 08:00:00 GMT", after: 1, then: ["304"], sees: ["if-modified-since: Monday, 11-Jan-27 08:00:00 GMT"], gets: "1 disk", onDisk: 1),
    HTTPCase("a tag and a date", "ETag: \"a\" | Last-Modified: \(monday) | Expires: 0", after: 1, then: ["304"], sees: ["\(tag) | \(date)"], gets: "1 disk", onDisk: 1),
    HTTPCase("a date that is none", "Last-Modified: yesterday", after: 1, sees: [plain], gets: "2 network", onDisk: 2),
    HTTPCase("a tag that matches everything is none", "ETag: *", after: 1, sees: [plain], gets: "2 network", onDisk: 2),
    HTTPCase("several tags are none", "ETag: \"a\", \"b\"", after: 1, sees: [plain], gets: "2 network", onDisk: 2),
    HTTPCase("a tag without quotes is none", "ETag: a", after: 1, sees: [plain], gets: "2 network", onDisk: 2),
    HTTPCase("a tag with a control character is none", "ETag: \"\u{1}\"", after: 1, sees: [plain], gets: "2 network", onDisk: 2),
    HTTPCase("an empty tag is one", "ETag: \"\"", after: 1, then: ["304"], sees: ["if-none-match: \"\""], gets: "1 disk", onDisk: 1),
    HTTPCase("no-cache asks although it is fresh", "Cache-Control: max-age=60, no-cache | ETag: \"a\"", after: 1, then: ["304"], sees: [tag], gets: "1 disk", onDisk: 1),
    HTTPCase("no-cache with names asks as well", "Cache-Control: max-age=60, no-cache=\"set-cookie, x\" | ETag: \"a\"", after: 1, then: ["304"], sees: [tag], gets: "1 disk", onDisk: 1),
    HTTPCase("must-revalidate while it is fresh", "Cache-Control: max-age=60, must-revalidate | ETag: \"a\"", after: 59, sees: [], gets: "1 disk", onDisk: 1),
    HTTPCase("must-revalidate when it is not", "Cache-Control: max-age=60, must-revalidate | ETag: \"a\"", after: 60, then: ["304"], sees: [tag], gets: "1 disk", onDisk: 1),
    HTTPCase("Vary: * may be asked about", "Cache-Control: max-age=60 | Vary: * | ETag: \"a\"", after: 1, then: ["304"], sees: [tag], gets: "1 disk", onDisk: 1),
    HTTPCase("304 of another strong tag", "ETag: \"a\"", after: 1, then: ["304 | ETag: \"b\"", "200"], sees: [tag, plain], gets: "3 network", onDisk: 3),
    HTTPCase("304 of another weak tag", "ETag: \"a\"", after: 1, then: ["304 | ETag: W/\"b\"", "200"], sees: [tag, plain], gets: "3 network", onDisk: 3),
    HTTPCase("304 of a tag to a date", "Last-Modified: \(monday) | Expires: 0", after: 1, then: ["304 | ETag: \"b\"", "200"], sees: [date, plain], gets: "3 network", onDisk: 3),
    HTTPCase("304 of another date", "Last-Modified: \(monday) | Expires: 0", after: 1, then: ["304 | Last-Modified: Tue, 12 Jan 2027 08:00:00 GMT", "200"], sees: [date, plain], gets: "3 network", onDisk: 3),
    HTTPCase("304 of another date to a tag and a date", "ETag: \"a\" | Last-Modified: \(monday) | Expires: 0", after: 1, then: ["304 | Last-Modified: Tue, 12 Jan 2027 08:00:00 GMT", "200"], sees: ["\(tag) | \(date)", plain], gets: "3 network", onDisk: 3),
    HTTPCase("304 of another date and the tag", "ETag: \"a\" | Last-Modified: \(monday) | Expires: 0", after: 1, then: ["304 | ETag: \"a\" | Last-Modified: Tue, 12 Jan 2027 08:00:00 GMT"], sees: ["\(tag) | \(date)"], gets: "1 disk", onDisk: 1),
    HTTPCase("304 of the tag in its weak form", "ETag: \"a\"", after: 1, then: ["304 | ETag: W/\"a\""], sees: [tag], gets: "1 disk", onDisk: 1),
    HTTPCase("304 behind a redirect", "ETag: \"a\"", after: 1, then: ["304 | ETag: \"a\" | via: 301", "200"], sees: [tag, plain], gets: "3 network", onDisk: 3),
    HTTPCase("304 of another tag, and again", "ETag: \"a\"", after: 1, then: ["304 | ETag: \"b\"", "304 | ETag: \"b\""], sees: [tag, plain], gets: "malformed-response", onDisk: 1),
    HTTPCase("304 of another tag, then 404", "ETag: \"a\"", after: 1, then: ["304 | ETag: \"b\"", "404"], sees: [tag, plain], gets: "404", onDisk: nil),
    HTTPCase("304 that nobody asked for", "Cache-Control: max-age=1", after: 1, then: ["304"], sees: [plain], gets: "malformed-response", onDisk: 1),
    HTTPCase("304 to a reload", "ETag: \"a\"", after: 1, policy: .reload, then: ["304"], sees: ["cache-control: no-cache"], gets: "malformed-response", onDisk: 1),
    HTTPCase("304 to the caller's own condition", "ETag: \"a\"", after: 1, request: ["If-None-Match": "\"c\""], then: ["304"], sees: ["if-none-match: \"c\""], gets: "304", onDisk: 1),
    HTTPCase("206 to a tag", "ETag: \"a\"", after: 1, then: ["206"], sees: [tag], gets: "malformed-response", onDisk: 1),
    HTTPCase("what came by a redirect is not asked about", "Cache-Control: max-age=1 | ETag: \"a\" | via: 301", after: 1, sees: [plain], gets: "2 network", onDisk: 2),
    HTTPCase("a reload asks for the whole, past every cache", "Cache-Control: max-age=60 | ETag: \"a\"", after: 1, policy: .reload, sees: ["cache-control: no-cache"], gets: "2 network", onDisk: 2),
    HTTPCase("a request with no-cache is a reload", "Cache-Control: max-age=60", after: 1, request: ["Cache-Control": "no-cache"], sees: ["cache-control: no-cache"], gets: "2 network", onDisk: 2),
    HTTPCase("offline takes nothing that must be asked about", "Cache-Control: max-age=60, no-cache", after: 1, policy: .offline, saying: "max-stale", sees: [], gets: "not-cached", onDisk: 1),
    HTTPCase("offline takes what is fresh, must-revalidate or not", "Cache-Control: max-age=60, must-revalidate", after: 59, policy: .offline, sees: [], gets: "1 disk", onDisk: 1),
    HTTPCase("offline takes nothing stale that must be asked about then", "Cache-Control: max-age=60, must-revalidate", after: 60, policy: .offline, saying: "max-stale", sees: [], gets: "not-cached", onDisk: 1),
    HTTPCase("offline takes nothing that varies by everything", "Cache-Control: max-age=60 | Vary: *", after: 1, policy: .offline, saying: "max-stale", sees: [], gets: "not-cached", onDisk: 1),
    HTTPCase("proxy-revalidate is for shared caches", "Cache-Control: max-age=60, proxy-revalidate", after: 60, policy: .offline, saying: "max-stale", sees: [], gets: "1 stale", onDisk: 1),
    HTTPCase("offline takes nothing stale by itself", "ETag: \"a\"", after: 1_000, policy: .offline, sees: [], gets: "not-cached", onDisk: 1),
    HTTPCase("offline takes what is stale for who says so", "ETag: \"a\"", after: 1_000, policy: .offline, saying: "max-stale", sees: [], gets: "1 stale", onDisk: 1),
    HTTPCase("offline takes nothing where nothing is", "Cache-Control: no-store", after: 1, policy: .offline, sees: [], gets: "not-cached", onDisk: nil),
  ]

  // swift-format-ignore
  private static let directives = [
    HTTPCase("only-if-cached, fresh", "Cache-Control: max-age=60", after: 59, saying: "only-if-cached", sees: [], gets: "1 disk", onDisk: 1),
    HTTPCase("only-if-cached takes nothing stale by itself", "Cache-Control: max-age=60", after: 60, saying: "only-if-cached", sees: [], gets: "not-cached", onDisk: 1),
    HTTPCase("only-if-cached with max-stale does", "Cache-Control: max-age=60", after: 69, saying: "only-if-cached, max-stale=10", sees: [], gets: "1 stale", onDisk: 1),
    HTTPCase("only-if-cached where nothing is", "Cache-Control: no-store", after: 0, saying: "Only-If-Cached", sees: [], gets: "not-cached", onDisk: nil),
    HTTPCase("only-if-cached and no-cache leave nobody to answer", "Cache-Control: max-age=60", after: 0, saying: "only-if-cached, no-cache", sees: [], gets: "not-cached", onDisk: 1),
    HTTPCase("max-age, younger", "Cache-Control: max-age=60", after: 29, saying: "max-age=30", sees: [], gets: "1 disk", onDisk: 1),
    HTTPCase("max-age, older, and is sent", "Cache-Control: max-age=60 | ETag: \"a\"", after: 30, saying: "max-age=30", then: ["304"], sees: ["cache-control: max-age=30 | \(tag)"], gets: "1 disk", onDisk: 1),
    HTTPCase("max-age counts the Age it came with", "Cache-Control: max-age=60 | Age: 20", after: 10, saying: "max-age=30", sees: ["cache-control: max-age=30"], gets: "2 network", onDisk: 2),
    HTTPCase("max-age=0 asks at once", "Cache-Control: max-age=60 | ETag: \"a\"", after: 0, saying: "max-age=0", then: ["304"], sees: ["cache-control: max-age=0 | \(tag)"], gets: "1 disk", onDisk: 1),
    HTTPCase("max-age that is no number asks", "Cache-Control: max-age=60", after: 0, saying: "max-age=x", sees: ["cache-control: max-age=x"], gets: "2 network", onDisk: 2),
    HTTPCase("max-age makes nothing fresh", "Cache-Control: max-age=10", after: 10, saying: "max-age=30", sees: ["cache-control: max-age=30"], gets: "2 network", onDisk: 2),
    HTTPCase("min-fresh, long enough", "Cache-Control: max-age=60", after: 29, saying: "min-fresh=30", sees: [], gets: "1 disk", onDisk: 1),
    HTTPCase("min-fresh, too short", "Cache-Control: max-age=60", after: 30, saying: "min-fresh=30", sees: ["cache-control: min-fresh=30"], gets: "2 network", onDisk: 2),
    HTTPCase("min-fresh that is no number", "Cache-Control: max-age=60", after: 0, saying: "min-fresh=x", sees: ["cache-control: min-fresh=x"], gets: "2 network", onDisk: 2),
    HTTPCase("max-stale, within", "Cache-Control: max-age=60", after: 69, saying: "max-stale=10", sees: [], gets: "1 stale", onDisk: 1),
    HTTPCase("max-stale, beyond", "Cache-Control: max-age=60", after: 70, saying: "max-stale=10", sees: ["cache-control: max-stale=10"], gets: "2 network", onDisk: 2),
    HTTPCase("max-stale of any age", "Cache-Control: max-age=60", after: 1 << 30, saying: "max-stale", sees: [], gets: "1 stale", onDisk: 1),
    HTTPCase("max-stale that is no number", "Cache-Control: max-age=60", after: 60, saying: "max-stale=x", sees: ["cache-control: max-stale=x"], gets: "2 network", onDisk: 2),
    HTTPCase("must-revalidate means it", "Cache-Control: max-age=60, must-revalidate", after: 60, saying: "max-stale", sees: ["cache-control: max-stale"], gets: "2 network", onDisk: 2),
    HTTPCase("no-cache means it", "Cache-Control: max-age=60, no-cache", after: 0, saying: "max-stale", sees: ["cache-control: max-stale"], gets: "2 network", onDisk: 2),
    HTTPCase("max-age beside max-stale", "Cache-Control: max-age=60", after: 65, saying: "max-stale=10, max-age=65", sees: ["cache-control: max-stale=10, max-age=65"], gets: "2 network", onDisk: 2),
    HTTPCase("no-store leaves the disk alone, what is there too", "Cache-Control: max-age=60", after: 0, saying: "no-store", sees: ["cache-control: no-store"], gets: "2 network", onDisk: 1),
    HTTPCase("what is not known is sent and not obeyed", "Cache-Control: max-age=60", after: 0, saying: "no-transform", sees: [], gets: "1 disk", onDisk: 1),
    HTTPCase("no-cache asks for the whole", "Cache-Control: max-age=60 | ETag: \"a\"", after: 0, saying: "no-cache", sees: ["cache-control: no-cache"], gets: "2 network", onDisk: 2),
  ]

  private static let behind = "Cache-Control: max-age=1, stale-if-error=1000"
  private static let onError = "Cache-Control: max-age=10, stale-if-error=50"

  // swift-format-ignore
  private static let failures = [
    HTTPCase("404 that is fresh", "404 | Cache-Control: max-age=60", after: 59, sees: [], gets: "404", onDisk: nil),
    HTTPCase("404 that was fresh", "404 | Cache-Control: max-age=60", after: 60, sees: [plain], gets: "2 network", onDisk: 2),
    HTTPCase("404 that says nothing", "404", after: 0, sees: [plain], gets: "2 network", onDisk: 2),
    HTTPCase("no heuristic for 404", "404 | Last-Modified: \(monday)", after: 0, sees: [plain], gets: "2 network", onDisk: 2),
    HTTPCase("404 with an Age", "404 | Cache-Control: max-age=60 | Age: 20", after: 40, sees: [plain], gets: "2 network", onDisk: 2),
    HTTPCase("404 that took its time", "404 | Cache-Control: max-age=60", after: 60, delay: 20, sees: [plain], gets: "2 network", onDisk: 2),
    HTTPCase("404 that took its time, within", "404 | Cache-Control: max-age=60", after: 59, delay: 20, sees: [], gets: "404", onDisk: nil),
    HTTPCase("404 with Expires", "404 | Expires: Fri, 15 Jan 2027 08:01:00 GMT", after: 59, sees: [], gets: "404", onDisk: nil),
    HTTPCase("404 with no-store", "404 | Cache-Control: max-age=60, no-store", after: 0, sees: [plain], gets: "2 network", onDisk: 2),
    HTTPCase("404 with no-cache", "404 | Cache-Control: max-age=60, no-cache", after: 0, sees: [plain], gets: "2 network", onDisk: 2),
    HTTPCase("404 that varies by everything", "404 | Cache-Control: max-age=60 | Vary: *", after: 0, sees: [plain], gets: "2 network", onDisk: 2),
    HTTPCase("404 behind a redirect", "404 | Cache-Control: max-age=60 | via: 302", after: 0, sees: [plain], gets: "2 network", onDisk: 2),
    HTTPCase("404 for a day at most", "404 | Cache-Control: max-age=9999999", after: 86_399, sees: [], gets: "404", onDisk: nil),
    HTTPCase("404 for a day and no more", "404 | Cache-Control: max-age=9999999", after: 86_400, sees: [plain], gets: "2 network", onDisk: 2),
    HTTPCase("403 that is fresh", "403 | Cache-Control: max-age=60", after: 59, sees: [], gets: "403", onDisk: nil),
    HTTPCase("500 that is fresh", "500 | Cache-Control: max-age=60", after: 59, sees: [], gets: "500", onDisk: nil),
    HTTPCase("429 that wants a pause", "429 | Retry-After: 30", after: 29, sees: [], gets: "429", onDisk: nil),
    HTTPCase("429 after the pause", "429 | Retry-After: 30", after: 30, sees: [plain], gets: "2 network", onDisk: 2),
    HTTPCase("429 whose pause begins when it is here", "429 | Retry-After: 30", after: 39, delay: 10, sees: [], gets: "429", onDisk: nil),
    HTTPCase("503 that wants a pause until a date", "503 | Retry-After: Fri, 15 Jan 2027 08:00:30 GMT", after: 29, sees: [], gets: "503", onDisk: nil),
    HTTPCase("503 after that date", "503 | Retry-After: Fri, 15 Jan 2027 08:00:30 GMT", after: 30, sees: [plain], gets: "2 network", onDisk: 2),
    HTTPCase("503 with a date that has passed", "503 | Retry-After: \(monday)", after: 0, sees: [plain], gets: "2 network", onDisk: 2),
    HTTPCase("503 with a pause that is none", "503 | Retry-After: soon", after: 0, sees: [plain], gets: "2 network", onDisk: 2),
    HTTPCase("503 with a pause and a longer freshness", "503 | Retry-After: 10 | Cache-Control: max-age=30", after: 29, sees: [], gets: "503", onDisk: nil),
    HTTPCase("404 that says when to ask again", "404 | Retry-After: 30", after: 29, sees: [], gets: "404", onDisk: nil),
    HTTPCase("404 after that", "404 | Retry-After: 30", after: 30, sees: [plain], gets: "2 network", onDisk: 2),
    HTTPCase("a reload asks all the same", "404 | Cache-Control: max-age=60", after: 1, policy: .reload, sees: ["cache-control: no-cache"], gets: "2 network", onDisk: 2),
    HTTPCase("so does who says how old it may be", "404 | Cache-Control: max-age=60", after: 1, saying: "max-age=0", sees: ["cache-control: max-age=0"], gets: "2 network", onDisk: 2),
    HTTPCase("offline asks nobody and remembers nothing", "404 | Cache-Control: max-age=60", after: 1, policy: .offline, sees: [], gets: "not-cached", onDisk: nil),
    HTTPCase("no connection is nothing to remember", "connect", after: 0, sees: [plain], gets: "2 network", onDisk: 2),
  ]

  @Test(arguments: failures) func remembered(line: HTTPCase) {
    #expect(line.play()?.outcome == line.expected)
  }

  // swift-format-ignore
  private static let errors = [
    HTTPCase("stale-if-error while it is fresh", onError, after: 9, then: ["500"], sees: [], gets: "1 disk", onDisk: 1),
    HTTPCase("500 within the window", onError, after: 59, then: ["500"], sees: [plain], gets: "1 stale", onDisk: 1),
    HTTPCase("502 within the window", onError, after: 10, then: ["502"], sees: [plain], gets: "1 stale", onDisk: 1),
    HTTPCase("503 within the window", onError, after: 10, then: ["503"], sees: [plain], gets: "1 stale", onDisk: 1),
    HTTPCase("504 within the window", onError, after: 10, then: ["504"], sees: [plain], gets: "1 stale", onDisk: 1),
    HTTPCase("no connection within the window", onError, after: 59, then: ["connect"], sees: [plain], gets: "1 stale", onDisk: 1),
    HTTPCase("no such host within the window", onError, after: 10, then: ["dns"], sees: [plain], gets: "1 stale", onDisk: 1),
    HTTPCase("no answer in time within the window", onError, after: 10, then: ["timeout"], sees: [plain], gets: "1 stale", onDisk: 1),
    HTTPCase("a broken answer within the window", onError, after: 10, then: ["connection-lost"], sees: [plain], gets: "1 stale", onDisk: 1),
    HTTPCase("the window ends", onError, after: 60, then: ["500"], sees: [plain], gets: "500", onDisk: 1),
    HTTPCase("the window ends while the origin is silent", onError, after: 55, then: ["500"], delay: 5, sees: [plain], gets: "500", onDisk: 1),
    HTTPCase("a window that is no number", "Cache-Control: stale-if-error=x", after: 0, then: ["500"], sees: [plain], gets: "500", onDisk: 1),
    HTTPCase("501 says something about the request", onError, after: 10, then: ["501"], sees: [plain], gets: "501", onDisk: 1),
    HTTPCase("403 does", onError, after: 10, then: ["403"], sees: [plain], gets: "403", onDisk: 1),
    HTTPCase("404 does, and takes it away", onError, after: 10, then: ["404"], sees: [plain], gets: "404", onDisk: nil),
    HTTPCase("an origin that proves to be another one is no error of the origin", onError, after: 10, then: ["tls"], sees: [plain], gets: "tls", onDisk: 1),
    HTTPCase("nor is one that breaks the rules", onError, after: 10, then: ["malformed-response"], sees: [plain], gets: "malformed-response", onDisk: 1),
    HTTPCase("must-revalidate goes before stale-if-error", onError + ", must-revalidate", after: 10, then: ["500"], sees: [plain], gets: "500", onDisk: 1),
    HTTPCase("no-cache goes before stale-if-error", onError + ", no-cache", after: 0, then: ["500"], sees: [plain], gets: "500", onDisk: 1),
    HTTPCase("Vary: * goes before stale-if-error", onError + " | Vary: *", after: 10, then: ["500"], sees: [plain], gets: "500", onDisk: 1),
    HTTPCase("a reload gets the error", onError, after: 10, policy: .reload, then: ["500"], sees: ["cache-control: no-cache"], gets: "500", onDisk: 1),
    HTTPCase("the validation fails", onError + " | ETag: \"a\"", after: 10, then: ["503"], sees: [tag], gets: "1 stale", onDisk: 1),
    HTTPCase("a request may allow it", "Cache-Control: max-age=10", after: 59, saying: "stale-if-error=50", then: ["500"], sees: ["cache-control: stale-if-error=50"], gets: "1 stale", onDisk: 1),
    HTTPCase("a request may forbid it", onError, after: 10, saying: "stale-if-error=0", then: ["500"], sees: ["cache-control: stale-if-error=0"], gets: "500", onDisk: 1),
    HTTPCase("stale-if-error beside a request's max-age", onError, after: 10, saying: "max-age=5", then: ["500"], sees: ["cache-control: max-age=5"], gets: "1 stale", onDisk: 1),
  ]

  private static let whileAsking = "Cache-Control: max-age=10, stale-while-revalidate=50"

  // swift-format-ignore
  private static let background = [
    HTTPCase("stale-while-revalidate while it is fresh", whileAsking, after: 9, sees: [], gets: "1 disk", onDisk: 1),
    HTTPCase("the old one at once, the new one on disk", whileAsking, after: 10, sees: [plain], gets: "1 stale", onDisk: 2),
    HTTPCase("the old one to the end of the window", whileAsking, after: 59, sees: [plain], gets: "1 stale", onDisk: 2),
    HTTPCase("the new one from then on", whileAsking, after: 60, sees: [plain], gets: "2 network", onDisk: 2),
    HTTPCase("the old one is asked about", whileAsking + " | ETag: \"a\"", after: 10, then: ["304"], sees: [tag], gets: "1 stale", onDisk: 1),
    HTTPCase("a window that is no number is none", "Cache-Control: max-age=10, stale-while-revalidate=x", after: 10, sees: [plain], gets: "2 network", onDisk: 2),
    HTTPCase("an error in the background keeps the old one", whileAsking, after: 10, then: ["500"], sees: [plain], gets: "1 stale", onDisk: 1),
    HTTPCase("no connection in the background keeps the old one", whileAsking, after: 10, then: ["connect"], sees: [plain], gets: "1 stale", onDisk: 1),
    HTTPCase("404 in the background takes it away", whileAsking, after: 10, then: ["404"], sees: [plain], gets: "1 stale", onDisk: nil),
    HTTPCase("no-store in the background takes it away", whileAsking, after: 10, then: ["200 | Cache-Control: no-store"], sees: [plain], gets: "1 stale", onDisk: nil),
    HTTPCase("must-revalidate goes before stale-while-revalidate", whileAsking + ", must-revalidate", after: 10, sees: [plain], gets: "2 network", onDisk: 2),
    HTTPCase("no-cache goes before stale-while-revalidate", whileAsking + ", no-cache", after: 0, sees: [plain], gets: "2 network", onDisk: 2),
    HTTPCase("Vary: * goes before stale-while-revalidate", whileAsking + " | Vary: *", after: 0, sees: [plain], gets: "2 network", onDisk: 2),
    HTTPCase("a reload waits for the new one", whileAsking, after: 10, policy: .reload, sees: ["cache-control: no-cache"], gets: "2 network", onDisk: 2),
    HTTPCase("offline asks nobody and takes nothing stale", whileAsking, after: 10, policy: .offline, sees: [], gets: "not-cached", onDisk: 1),
    HTTPCase("offline asks nobody", whileAsking, after: 10, policy: .offline, saying: "max-stale", sees: [], gets: "1 stale", onDisk: 1),
    HTTPCase("who says how old it may be waits", whileAsking, after: 10, saying: "max-age=10", sees: ["cache-control: max-age=10"], gets: "2 network", onDisk: 2),
    HTTPCase("who says how fresh it must be waits", whileAsking, after: 10, saying: "min-fresh=1", sees: ["cache-control: min-fresh=1"], gets: "2 network", onDisk: 2),
    HTTPCase("who takes what is stale does not wait, and nobody is asked", whileAsking, after: 10, saying: "max-stale", sees: [], gets: "1 stale", onDisk: 1),
  ]

  @Test(arguments: background) func refreshed(line: HTTPCase) {
    #expect(line.play()?.outcome == line.expected)
  }

  @Test(arguments: errors) func covered(line: HTTPCase) {
    #expect(line.play()?.outcome == line.expected)
  }

  @Test(arguments: directives) func obeyed(line: HTTPCase) {
    #expect(line.play()?.outcome == line.expected)
  }

  @Test(arguments: freshness) func fresh(line: HTTPCase) {
    #expect(line.play()?.outcome == line.expected)
  }

  @Test(arguments: storing) func kept(line: HTTPCase) {
    #expect(line.play()?.outcome == line.expected)
  }

  @Test(arguments: validation) func asked(line: HTTPCase) {
    #expect(line.play()?.outcome == line.expected)
  }
}
