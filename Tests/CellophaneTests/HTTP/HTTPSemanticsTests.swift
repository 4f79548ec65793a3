@testable internal import Cellophane
internal import CellophaneTesting
internal import Testing

@Suite("HTTP semantics of a private cache, in virtual time")
struct HTTPSemanticsTests {
  // Header fields that the origin receives.
  private static let plain = ""
  private static let tag = "if-none-match: \"a\""
  private static let monday = "Mon, 11 Jan 2027 08:00:00 GMT"
  private static let date = "if-modified-since: \(monday)"

  // Each case: name, first response, seconds later, … fields that the origin receives, result, number on disk.
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
    HTTPCase("max-age that is not a number", "Cache-Control: max-age=1h", after: 0, sees: [plain], gets: "2 network", onDisk: 2),
    HTTPCase("max-age with a blank in its number", "Cache-Control: max-age=6 0", after: 0, sees: [plain], gets: "2 network", onDisk: 2),
    HTTPCase("max-age with a blank at its sign", "Cache-Control: max-age =60", after: 0, sees: [plain], gets: "2 network", onDisk: 2),
    HTTPCase("max-age with letters after its quotes", "Cache-Control: max-age=\"60\"x", after: 0, sees: [plain], gets: "2 network", onDisk: 2),
    HTTPCase("max-age within another's quotes", "Cache-Control: x=\"a, max-age=60\"", after: 0, sees: [plain], gets: "2 network", onDisk: 2),
    HTTPCase("s-maxage is ignored", "Cache-Control: s-maxage=0, max-age=60", after: 59, sees: [], gets: "1 disk", onDisk: 1),
    HTTPCase("s-maxage alone", "Cache-Control: s-maxage=60", after: 0, sees: [plain], gets: "2 network", onDisk: 2),
    HTTPCase("private may be stored", "Cache-Control: private, max-age=60", after: 59, sees: [], gets: "1 disk", onDisk: 1),
    HTTPCase("no freshness information", "200", after: 0, sees: [plain], gets: "2 network", onDisk: 2),
    HTTPCase("Age counts", "Cache-Control: max-age=60 | Age: 20", after: 39, sees: [], gets: "1 disk", onDisk: 1),
    HTTPCase("Age counts to the end", "Cache-Control: max-age=60 | Age: 20", after: 40, sees: [plain], gets: "2 network", onDisk: 2),
    HTTPCase("Age beyond 64 bits", "Cache-Control: max-age=60 | Age: 99999999999999999999", after: 0, sees: [plain], gets: "2 network", onDisk: 2),
    HTTPCase("Age that is not a number", "Cache-Control: max-age=60 | Age: old", after: 59, sees: [], gets: "1 disk", onDisk: 1),
    HTTPCase("an earlier Date adds to the age", "Cache-Control: max-age=60 | Date: Fri, 15 Jan 2027 07:59:30 GMT", after: 30, sees: [plain], gets: "2 network", onDisk: 2),
    HTTPCase("Date of a fast clock", "Cache-Control: max-age=60 | Date: Fri, 15 Jan 2027 09:00:00 GMT", after: 60, sees: [plain], gets: "2 network", onDisk: 2),
    HTTPCase("the response delay adds to the age", "Cache-Control: max-age=60", after: 60, delay: 10, sees: [plain], gets: "2 network", onDisk: 2),
    HTTPCase("the response delay adds to the age, with Age", "Cache-Control: max-age=60 | Age: 20", after: 39, delay: 10, sees: [], gets: "1 disk", onDisk: 1),
    HTTPCase("a response delay longer than the lifetime", "Cache-Control: max-age=10", after: 11, delay: 11, sees: [plain], gets: "2 network", onDisk: 2),
    HTTPCase("Expires, within", "Expires: Fri, 15 Jan 2027 08:01:00 GMT", after: 59, sees: [], gets: "1 disk", onDisk: 1),
    HTTPCase("Expires, at its end", "Expires: Fri, 15 Jan 2027 08:01:00 GMT", after: 60, sees: [plain], gets: "2 network", onDisk: 2),
    HTTPCase("Expires counts from Date", "Expires: Fri, 15 Jan 2027 09:01:00 GMT | Date: Fri, 15 Jan 2027 09:00:00 GMT", after: 60, sees: [plain], gets: "2 network", onDisk: 2),
    HTTPCase("Expires: 0", "Expires: 0", after: 0, sees: [plain], gets: "2 network", onDisk: 2),
    HTTPCase("Expires: 0 prevents the heuristic", "Expires: 0 | Last-Modified: \(monday)", after: 0, sees: [date], gets: "2 network", onDisk: 2),
    HTTPCase("max-age overrides Expires", "Expires: Fri, 15 Jan 2027 09:00:00 GMT | Cache-Control: max-age=5", after: 5, sees: [plain], gets: "2 network", onDisk: 2),
    HTTPCase("an invalid max-age overrides Expires", "Expires: Fri, 15 Jan 2027 09:00:00 GMT | Cache-Control: max-age=x", after: 0, sees: [plain], gets: "2 network", onDisk: 2),
    HTTPCase("a tenth of the time since Last-Modified", "Last-Modified: \(monday)", after: 34_559, sees: [], gets: "1 disk", onDisk: 1),
    HTTPCase("a tenth and no more", "Last-Modified: \(monday)", after: 34_560, sees: [date], gets: "2 network", onDisk: 2),
    HTTPCase("no heuristic with max-age", "Last-Modified: \(monday) | Cache-Control: max-age=0", after: 0, sees: [date], gets: "2 network", onDisk: 2),
    HTTPCase("no heuristic for 201", "201 | Last-Modified: \(monday)", after: 0, sees: [date], gets: "2 network", onDisk: 2),
    HTTPCase("Vary: * is never fresh", "Cache-Control: max-age=60 | Vary: *", after: 0, sees: [plain], gets: "2 network", onDisk: 2),
  ]

  // swift-format-ignore
  private static let storing = [
    HTTPCase("no-store", "Cache-Control: no-store, max-age=60", after: 0, then: ["200 | Cache-Control: no-store"], sees: [plain], gets: "2 network", onDisk: nil),
    HTTPCase("no-store in another field", "Cache-Control: max-age=60 | Cache-Control: x, NO-STORE", after: 0, then: ["200 | Cache-Control: no-store"], sees: [plain], gets: "2 network", onDisk: nil),
    HTTPCase("no-store removes the earlier response", "Cache-Control: max-age=1", after: 1, then: ["200 | Cache-Control: no-store"], sees: [plain], gets: "2 network", onDisk: nil),
    HTTPCase("no-store of a 304 removes the earlier response", "ETag: \"a\"", after: 0, then: ["304 | Cache-Control: no-store"], sees: [tag], gets: "1 disk", onDisk: nil),
    HTTPCase("a request with no-store", "Cache-Control: max-age=60", after: 0, request: ["Cache-Control": "no-store"], sees: ["cache-control: no-store"], gets: "2 network", onDisk: nil),
    HTTPCase("a response to credentials is not stored", "Cache-Control: max-age=60", after: 0, request: ["Authorization": "x"], sees: ["authorization: x"], gets: "2 network", onDisk: nil),
    HTTPCase("an empty body is not stored", "Cache-Control: max-age=60 | empty", after: 0, sees: [plain], gets: "2 network", onDisk: 2),
    HTTPCase("204 with a lifetime is stored", "204 | Cache-Control: max-age=60 | empty", after: 0, sees: [], gets: " disk", onDisk: nil),
    HTTPCase("an empty body is returned and removes the earlier response", "ETag: \"a\"", after: 0, then: ["200 | empty"], sees: [tag], gets: " network", onDisk: nil),
    HTTPCase("a requested range is returned and not stored", "206 | Content-Range: bytes 0-0/3 | Cache-Control: max-age=60", after: 0, request: ["Range": "bytes=0-0"], then: ["206 | Content-Range: bytes 0-0/3"], sees: ["range: bytes=0-0"], gets: "2 network", onDisk: nil),
    HTTPCase("a range other than the requested one is refused", "206 | Content-Range: bytes 1-1/3", after: 0, request: ["Range": "bytes=0-0"], then: ["206 | Content-Range: bytes 1-1/3"], sees: ["range: bytes=0-0"], gets: "malformed-response", onDisk: nil),
    HTTPCase("a range shorter than its Content-Range is refused", "500", after: 0, request: ["Range": "bytes=0-1"], then: ["206 | Content-Range: bytes 0-1/3"], sees: ["range: bytes=0-1"], gets: "malformed-response", onDisk: nil),
    HTTPCase("a 206 without Content-Range is refused", "500", after: 0, request: ["Range": "bytes=0-0"], then: ["206"], sees: ["range: bytes=0-0"], gets: "malformed-response", onDisk: nil),
    HTTPCase("a requested range may end at the end of the resource", "500", after: 0, request: ["Range": "bytes=1-9"], then: ["206 | Content-Range: bytes 1-1/2"], sees: ["range: bytes=1-9"], gets: "2 network", onDisk: nil),
    HTTPCase("a suffix range", "500", after: 0, request: ["Range": "bytes=-1"], then: ["206 | Content-Range: bytes 2-2/3"], sees: ["range: bytes=-1"], gets: "2 network", onDisk: nil),
    HTTPCase("a range other than the requested suffix is refused", "500", after: 0, request: ["Range": "bytes=-1"], then: ["206 | Content-Range: bytes 1-1/3"], sees: ["range: bytes=-1"], gets: "malformed-response", onDisk: nil),
    HTTPCase("several ranges are returned unchecked", "500", after: 0, request: ["Range": "bytes=0-0,2-2"], then: ["206 | Content-Type: multipart/byteranges; boundary=x"], sees: ["range: bytes=0-0,2-2"], gets: "2 network", onDisk: nil),
    HTTPCase("a 200 to a range request is the complete response", "Cache-Control: max-age=60", after: 0, request: ["Range": "bytes=0-0"], sees: [], gets: "1 disk", onDisk: 1),
    HTTPCase("a 206 with the complete response is a 200", "206 | Content-Range: bytes 0-0/1 | Cache-Control: max-age=60", after: 1, sees: [], gets: "1 disk", onDisk: 1),
    HTTPCase("a 206 with the complete response replaces the stored one", "ETag: \"a\"", after: 1, then: ["206 | Content-Range: bytes 0-0/1"], sees: [tag], gets: "2 network", onDisk: 2),
    HTTPCase("a 206 with a part is refused without a range request", "ETag: \"a\"", after: 1, then: ["206 | Content-Range: bytes 0-0/2"], sees: [tag], gets: "malformed-response", onDisk: 1),
    HTTPCase("a 206 without a range request is refused", "Cache-Control: max-age=1", after: 1, then: ["206"], sees: [plain], gets: "malformed-response", onDisk: 1),
    HTTPCase("an error is not stored", "500", after: 0, sees: [plain], gets: "2 network", onDisk: 2),
    HTTPCase("404 removes the earlier response", "ETag: \"a\"", after: 0, then: ["404"], sees: [tag], gets: "404", onDisk: nil),
    HTTPCase("410 removes the earlier response", "ETag: \"a\"", after: 0, then: ["410"], sees: [tag], gets: "410", onDisk: nil),
    HTTPCase("404 to a reload removes the earlier response", "Cache-Control: max-age=60", after: 0, policy: .reload, then: ["404"], sees: ["cache-control: no-cache"], gets: "404", onDisk: nil),
    HTTPCase("403 keeps the earlier response", "ETag: \"a\"", after: 0, then: ["403"], sees: [tag], gets: "403", onDisk: 1),
    HTTPCase("500 keeps the earlier response and does not serve it", "ETag: \"a\" | Cache-Control: must-revalidate", after: 0, then: ["500"], sees: [tag], gets: "500", onDisk: 1),
    HTTPCase("a 200 after a redirect with the same lifetime is used", "Cache-Control: max-age=9 | via: 302 max-age=9", after: 8, sees: [], gets: "1 disk", onDisk: 1),
    HTTPCase("a 200 after a redirect with a shorter lifetime is not used", "Cache-Control: max-age=9 | via: 302 max-age=8", after: 0, sees: [plain], gets: "2 network", onDisk: 2),
    HTTPCase("after an expired redirect, stale-if-error does not apply", "\(redirectedStale) | via: 302 max-age=2", after: 4, then: ["500"], sees: [plain], gets: "500", onDisk: 1),
    HTTPCase("after an expired redirect, max-stale does not apply", "\(redirectedStale) | via: 302 max-age=2", after: 4, cacheControl: "max-stale, stale-if-error=1000", then: ["500"], sees: ["cache-control: max-stale, stale-if-error=1000"], gets: "500", onDisk: 1),
    HTTPCase("after an expired redirect, offline finds nothing", "\(redirectedStale) | via: 301 | via: 307 max-age=2", after: 4, policy: .offline, cacheControl: "max-stale", sees: [], gets: "not-cached", onDisk: 1),
    HTTPCase("after an expired redirect, stale-while-revalidate does not apply", "Cache-Control: max-age=1, stale-while-revalidate=1000 | via: 301 max-age=2", after: 4, sees: [plain], gets: "2 network", onDisk: 2),
    HTTPCase("after a permanent redirect, stale-if-error applies", "\(redirectedStale) | via: 308", after: 4, then: ["500"], sees: [plain], gets: "1 stale", onDisk: 1),
    HTTPCase("after a redirect with Vary: *, a response is not fresh", "\(redirectedStale) | via: 301 | via-vary: *", after: 0, sees: [plain], gets: "2 network", onDisk: 2),
    HTTPCase("after a fresh redirect with Vary: *, a response is not fresh", "Cache-Control: max-age=9 | via: 302 max-age=9 | via-vary: *", after: 0, policy: .offline, sees: [], gets: "not-cached", onDisk: nil),
    HTTPCase("a 200 after an unstable redirect removes the earlier response", "Cache-Control: max-age=1", after: 1, then: ["200 | Cache-Control: max-age=60 | via: 302"], sees: [plain], gets: "2 network", onDisk: nil),
  ]

  // swift-format-ignore
  private static let validation = [
    HTTPCase("304 to a tag", "ETag: \"a\"", after: 1, then: ["304"], sees: [tag], gets: "1 disk", onDisk: 1),
    HTTPCase("200 to a tag", "ETag: \"a\"", after: 1, then: ["200 | ETag: \"b\""], sees: [tag], gets: "2 network", onDisk: 2),
    HTTPCase("a weak tag is sent unchanged", "ETag: W/\"a\"", after: 1, then: ["304 | ETag: W/\"a\""], sees: ["if-none-match: W/\"a\""], gets: "1 disk", onDisk: 1),
    HTTPCase("304 to a date that is sent unchanged", "Cache-Control: max-age=0 | Last-Modified: Monday, 11-Jan-27 08:00:00 GMT", after: 1, then: ["304"], sees: ["if-modified-since: Monday, 11-Jan-27 08:00:00 GMT"], gets: "1 disk", onDisk: 1),
    HTTPCase("a tag and a date", "ETag: \"a\" | Last-Modified: \(monday) | Expires: 0", after: 1, then: ["304"], sees: ["\(tag) | \(date)"], gets: "1 disk", onDisk: 1),
    HTTPCase("an invalid date is not sent", "Last-Modified: yesterday", after: 1, sees: [plain], gets: "2 network", onDisk: 2),
    HTTPCase("a tag * is not sent", "ETag: *", after: 1, sees: [plain], gets: "2 network", onDisk: 2),
    HTTPCase("several tags are not sent", "ETag: \"a\", \"b\"", after: 1, sees: [plain], gets: "2 network", onDisk: 2),
    HTTPCase("a tag without quotes is not sent", "ETag: a", after: 1, sees: [plain], gets: "2 network", onDisk: 2),
    HTTPCase("a tag with a control character is not sent", "ETag: \"\u{1}\"", after: 1, sees: [plain], gets: "2 network", onDisk: 2),
    HTTPCase("an empty tag is sent", "ETag: \"\"", after: 1, then: ["304"], sees: ["if-none-match: \"\""], gets: "1 disk", onDisk: 1),
    HTTPCase("no-cache validates a fresh response", "Cache-Control: max-age=60, no-cache | ETag: \"a\"", after: 1, then: ["304"], sees: [tag], gets: "1 disk", onDisk: 1),
    HTTPCase("no-cache with field names validates as well", "Cache-Control: max-age=60, no-cache=\"set-cookie, x\" | ETag: \"a\"", after: 1, then: ["304"], sees: [tag], gets: "1 disk", onDisk: 1),
    HTTPCase("must-revalidate while it is fresh", "Cache-Control: max-age=60, must-revalidate | ETag: \"a\"", after: 59, sees: [], gets: "1 disk", onDisk: 1),
    HTTPCase("must-revalidate when it is stale", "Cache-Control: max-age=60, must-revalidate | ETag: \"a\"", after: 60, then: ["304"], sees: [tag], gets: "1 disk", onDisk: 1),
    HTTPCase("Vary: * may be validated", "Cache-Control: max-age=60 | Vary: * | ETag: \"a\"", after: 1, then: ["304"], sees: [tag], gets: "1 disk", onDisk: 1),
    HTTPCase("304 of another strong tag", "ETag: \"a\"", after: 1, then: ["304 | ETag: \"b\"", "200"], sees: [tag, plain], gets: "3 network", onDisk: 3),
    HTTPCase("304 of another weak tag", "ETag: \"a\"", after: 1, then: ["304 | ETag: W/\"b\"", "200"], sees: [tag, plain], gets: "3 network", onDisk: 3),
    HTTPCase("304 of a tag to a date", "Last-Modified: \(monday) | Expires: 0", after: 1, then: ["304 | ETag: \"b\"", "200"], sees: [date, plain], gets: "3 network", onDisk: 3),
    HTTPCase("304 of another date", "Last-Modified: \(monday) | Expires: 0", after: 1, then: ["304 | Last-Modified: Tue, 12 Jan 2027 08:00:00 GMT", "200"], sees: [date, plain], gets: "3 network", onDisk: 3),
    HTTPCase("304 of another date to a tag and a date", "ETag: \"a\" | Last-Modified: \(monday) | Expires: 0", after: 1, then: ["304 | Last-Modified: Tue, 12 Jan 2027 08:00:00 GMT", "200"], sees: ["\(tag) | \(date)", plain], gets: "3 network", onDisk: 3),
    HTTPCase("304 of another date and the tag", "ETag: \"a\" | Last-Modified: \(monday) | Expires: 0", after: 1, then: ["304 | ETag: \"a\" | Last-Modified: Tue, 12 Jan 2027 08:00:00 GMT"], sees: ["\(tag) | \(date)"], gets: "1 disk", onDisk: 1),
    HTTPCase("304 of the tag in its weak form", "ETag: \"a\"", after: 1, then: ["304 | ETag: W/\"a\""], sees: [tag], gets: "1 disk", onDisk: 1),
    HTTPCase("304 after a redirect", "ETag: \"a\"", after: 1, then: ["304 | ETag: \"a\" | via: 301", "200"], sees: [tag, plain], gets: "3 network", onDisk: 3),
    HTTPCase("304 of another tag, and again", "ETag: \"a\"", after: 1, then: ["304 | ETag: \"b\"", "304 | ETag: \"b\""], sees: [tag, plain], gets: "malformed-response", onDisk: 1),
    HTTPCase("304 of another tag, then 404", "ETag: \"a\"", after: 1, then: ["304 | ETag: \"b\"", "404"], sees: [tag, plain], gets: "404", onDisk: nil),
    HTTPCase("304 without a condition", "Cache-Control: max-age=1", after: 1, then: ["304"], sees: [plain], gets: "malformed-response", onDisk: 1),
    HTTPCase("304 to a reload", "ETag: \"a\"", after: 1, policy: .reload, then: ["304"], sees: ["cache-control: no-cache"], gets: "malformed-response", onDisk: 1),
    HTTPCase("304 to the caller's own condition", "ETag: \"a\"", after: 1, request: ["If-None-Match": "\"c\""], then: ["304"], sees: ["if-none-match: \"c\""], gets: "304", onDisk: 1),
    HTTPCase("206 to a tag", "ETag: \"a\"", after: 1, then: ["206"], sees: [tag], gets: "malformed-response", onDisk: 1),
    HTTPCase("a response after a redirect is not validated", "Cache-Control: max-age=1 | ETag: \"a\" | via: 301", after: 1, sees: [plain], gets: "2 network", onDisk: 2),
    HTTPCase("a reload sends no condition and passes every cache", "Cache-Control: max-age=60 | ETag: \"a\"", after: 1, policy: .reload, sees: ["cache-control: no-cache"], gets: "2 network", onDisk: 2),
    HTTPCase("a request with no-cache is a reload", "Cache-Control: max-age=60", after: 1, request: ["Cache-Control": "no-cache"], sees: ["cache-control: no-cache"], gets: "2 network", onDisk: 2),
    HTTPCase("offline does not use a no-cache response", "Cache-Control: max-age=60, no-cache", after: 1, policy: .offline, cacheControl: "max-stale", sees: [], gets: "not-cached", onDisk: 1),
    HTTPCase("offline uses a fresh response with must-revalidate", "Cache-Control: max-age=60, must-revalidate", after: 59, policy: .offline, sees: [], gets: "1 disk", onDisk: 1),
    HTTPCase("offline does not use a stale response with must-revalidate", "Cache-Control: max-age=60, must-revalidate", after: 60, policy: .offline, cacheControl: "max-stale", sees: [], gets: "not-cached", onDisk: 1),
    HTTPCase("offline does not use a response with Vary: *", "Cache-Control: max-age=60 | Vary: *", after: 1, policy: .offline, cacheControl: "max-stale", sees: [], gets: "not-cached", onDisk: 1),
    HTTPCase("proxy-revalidate is for shared caches", "Cache-Control: max-age=60, proxy-revalidate", after: 60, policy: .offline, cacheControl: "max-stale", sees: [], gets: "1 stale", onDisk: 1),
    HTTPCase("offline does not use a stale response", "ETag: \"a\"", after: 1_000, policy: .offline, sees: [], gets: "not-cached", onDisk: 1),
    HTTPCase("offline uses a stale response with max-stale", "ETag: \"a\"", after: 1_000, policy: .offline, cacheControl: "max-stale", sees: [], gets: "1 stale", onDisk: 1),
    HTTPCase("offline without a stored response", "Cache-Control: no-store", after: 1, policy: .offline, sees: [], gets: "not-cached", onDisk: nil),
  ]

  // swift-format-ignore
  private static let directives = [
    HTTPCase("only-if-cached, fresh", "Cache-Control: max-age=60", after: 59, cacheControl: "only-if-cached", sees: [], gets: "1 disk", onDisk: 1),
    HTTPCase("only-if-cached does not use a stale response", "Cache-Control: max-age=60", after: 60, cacheControl: "only-if-cached", sees: [], gets: "not-cached", onDisk: 1),
    HTTPCase("only-if-cached with max-stale uses a stale response", "Cache-Control: max-age=60", after: 69, cacheControl: "only-if-cached, max-stale=10", sees: [], gets: "1 stale", onDisk: 1),
    HTTPCase("only-if-cached without a stored response", "Cache-Control: no-store", after: 0, cacheControl: "Only-If-Cached", sees: [], gets: "not-cached", onDisk: nil),
    HTTPCase("only-if-cached with no-cache always fails", "Cache-Control: max-age=60", after: 0, cacheControl: "only-if-cached, no-cache", sees: [], gets: "not-cached", onDisk: 1),
    HTTPCase("max-age, younger", "Cache-Control: max-age=60", after: 29, cacheControl: "max-age=30", sees: [], gets: "1 disk", onDisk: 1),
    HTTPCase("max-age, older, and is sent", "Cache-Control: max-age=60 | ETag: \"a\"", after: 30, cacheControl: "max-age=30", then: ["304"], sees: ["cache-control: max-age=30 | \(tag)"], gets: "1 disk", onDisk: 1),
    HTTPCase("max-age of a request counts the Age of the response", "Cache-Control: max-age=60 | Age: 20", after: 10, cacheControl: "max-age=30", sees: ["cache-control: max-age=30"], gets: "2 network", onDisk: 2),
    HTTPCase("max-age=0 validates", "Cache-Control: max-age=60 | ETag: \"a\"", after: 0, cacheControl: "max-age=0", then: ["304"], sees: ["cache-control: max-age=0 | \(tag)"], gets: "1 disk", onDisk: 1),
    HTTPCase("max-age of a request that is no number validates", "Cache-Control: max-age=60", after: 0, cacheControl: "max-age=x", sees: ["cache-control: max-age=x"], gets: "2 network", onDisk: 2),
    HTTPCase("max-age of a request does not extend the lifetime", "Cache-Control: max-age=10", after: 10, cacheControl: "max-age=30", sees: ["cache-control: max-age=30"], gets: "2 network", onDisk: 2),
    HTTPCase("min-fresh, long enough", "Cache-Control: max-age=60", after: 29, cacheControl: "min-fresh=30", sees: [], gets: "1 disk", onDisk: 1),
    HTTPCase("min-fresh, too short", "Cache-Control: max-age=60", after: 30, cacheControl: "min-fresh=30", sees: ["cache-control: min-fresh=30"], gets: "2 network", onDisk: 2),
    HTTPCase("min-fresh that is not a number", "Cache-Control: max-age=60", after: 0, cacheControl: "min-fresh=x", sees: ["cache-control: min-fresh=x"], gets: "2 network", onDisk: 2),
    HTTPCase("max-stale, within", "Cache-Control: max-age=60", after: 69, cacheControl: "max-stale=10", sees: [], gets: "1 stale", onDisk: 1),
    HTTPCase("max-stale, beyond", "Cache-Control: max-age=60", after: 70, cacheControl: "max-stale=10", sees: ["cache-control: max-stale=10"], gets: "2 network", onDisk: 2),
    HTTPCase("max-stale of any age", "Cache-Control: max-age=60", after: 1 << 30, cacheControl: "max-stale", sees: [], gets: "1 stale", onDisk: 1),
    HTTPCase("max-stale that is not a number", "Cache-Control: max-age=60", after: 60, cacheControl: "max-stale=x", sees: ["cache-control: max-stale=x"], gets: "2 network", onDisk: 2),
    HTTPCase("must-revalidate overrides max-stale", "Cache-Control: max-age=60, must-revalidate", after: 60, cacheControl: "max-stale", sees: ["cache-control: max-stale"], gets: "2 network", onDisk: 2),
    HTTPCase("no-cache overrides max-stale", "Cache-Control: max-age=60, no-cache", after: 0, cacheControl: "max-stale", sees: ["cache-control: max-stale"], gets: "2 network", onDisk: 2),
    HTTPCase("max-age with max-stale", "Cache-Control: max-age=60", after: 65, cacheControl: "max-stale=10, max-age=65", sees: ["cache-control: max-stale=10, max-age=65"], gets: "2 network", onDisk: 2),
    HTTPCase("no-store of a request keeps the earlier response", "Cache-Control: max-age=60", after: 0, cacheControl: "no-store", sees: ["cache-control: no-store"], gets: "2 network", onDisk: 1),
    HTTPCase("an unknown directive is ignored", "Cache-Control: max-age=60", after: 0, cacheControl: "no-transform", sees: [], gets: "1 disk", onDisk: 1),
    HTTPCase("no-cache of a request sends no condition", "Cache-Control: max-age=60 | ETag: \"a\"", after: 0, cacheControl: "no-cache", sees: ["cache-control: no-cache"], gets: "2 network", onDisk: 2),
  ]

  private static let redirectedStale = "Cache-Control: max-age=1, stale-if-error=1000"
  private static let onError = "Cache-Control: max-age=10, stale-if-error=50"

  // swift-format-ignore
  private static let failures = [
    HTTPCase("404 that is fresh", "404 | Cache-Control: max-age=60", after: 59, sees: [], gets: "404", onDisk: nil),
    HTTPCase("404 that was fresh", "404 | Cache-Control: max-age=60", after: 60, sees: [plain], gets: "2 network", onDisk: 2),
    HTTPCase("404 without freshness information", "404", after: 0, sees: [plain], gets: "2 network", onDisk: 2),
    HTTPCase("no heuristic for 404", "404 | Last-Modified: \(monday)", after: 0, sees: [plain], gets: "2 network", onDisk: 2),
    HTTPCase("404 with an Age", "404 | Cache-Control: max-age=60 | Age: 20", after: 40, sees: [plain], gets: "2 network", onDisk: 2),
    HTTPCase("404 with a response delay", "404 | Cache-Control: max-age=60", after: 60, delay: 20, sees: [plain], gets: "2 network", onDisk: 2),
    HTTPCase("404 with a response delay, within its lifetime", "404 | Cache-Control: max-age=60", after: 59, delay: 20, sees: [], gets: "404", onDisk: nil),
    HTTPCase("404 with Expires", "404 | Expires: Fri, 15 Jan 2027 08:01:00 GMT", after: 59, sees: [], gets: "404", onDisk: nil),
    HTTPCase("404 with no-store", "404 | Cache-Control: max-age=60, no-store", after: 0, sees: [plain], gets: "2 network", onDisk: 2),
    HTTPCase("404 with no-cache", "404 | Cache-Control: max-age=60, no-cache", after: 0, sees: [plain], gets: "2 network", onDisk: 2),
    HTTPCase("404 with Vary: *", "404 | Cache-Control: max-age=60 | Vary: *", after: 0, sees: [plain], gets: "2 network", onDisk: 2),
    HTTPCase("404 after a redirect", "404 | Cache-Control: max-age=60 | via: 302", after: 0, sees: [plain], gets: "2 network", onDisk: 2),
    HTTPCase("404 for a day at most", "404 | Cache-Control: max-age=9999999", after: 86_399, sees: [], gets: "404", onDisk: nil),
    HTTPCase("404 for a day and no more", "404 | Cache-Control: max-age=9999999", after: 86_400, sees: [plain], gets: "2 network", onDisk: 2),
    HTTPCase("403 that is fresh", "403 | Cache-Control: max-age=60", after: 59, sees: [], gets: "403", onDisk: nil),
    HTTPCase("500 that is fresh", "500 | Cache-Control: max-age=60", after: 59, sees: [], gets: "500", onDisk: nil),
    HTTPCase("429 with Retry-After", "429 | Retry-After: 30", after: 29, sees: [], gets: "429", onDisk: nil),
    HTTPCase("429 after the pause", "429 | Retry-After: 30", after: 30, sees: [plain], gets: "2 network", onDisk: 2),
    HTTPCase("429 with a pause that begins at its arrival", "429 | Retry-After: 30", after: 39, delay: 10, sees: [], gets: "429", onDisk: nil),
    HTTPCase("503 with Retry-After as a date", "503 | Retry-After: Fri, 15 Jan 2027 08:00:30 GMT", after: 29, sees: [], gets: "503", onDisk: nil),
    HTTPCase("503 after that date", "503 | Retry-After: Fri, 15 Jan 2027 08:00:30 GMT", after: 30, sees: [plain], gets: "2 network", onDisk: 2),
    HTTPCase("503 with Retry-After in the past", "503 | Retry-After: \(monday)", after: 0, sees: [plain], gets: "2 network", onDisk: 2),
    HTTPCase("503 with an invalid Retry-After", "503 | Retry-After: soon", after: 0, sees: [plain], gets: "2 network", onDisk: 2),
    HTTPCase("503 with a pause and a longer freshness", "503 | Retry-After: 10 | Cache-Control: max-age=30", after: 29, sees: [], gets: "503", onDisk: nil),
    HTTPCase("404 with Retry-After", "404 | Retry-After: 30", after: 29, sees: [], gets: "404", onDisk: nil),
    HTTPCase("404 after Retry-After", "404 | Retry-After: 30", after: 30, sees: [plain], gets: "2 network", onDisk: 2),
    HTTPCase("a reload ignores a known failure", "404 | Cache-Control: max-age=60", after: 1, policy: .reload, sees: ["cache-control: no-cache"], gets: "2 network", onDisk: 2),
    HTTPCase("max-age=0 of a request ignores a known failure", "404 | Cache-Control: max-age=60", after: 1, cacheControl: "max-age=0", sees: ["cache-control: max-age=0"], gets: "2 network", onDisk: 2),
    HTTPCase("offline sends nothing and does not return the known failure", "404 | Cache-Control: max-age=60", after: 1, policy: .offline, sees: [], gets: "not-cached", onDisk: nil),
    HTTPCase("a failed connection is not a known failure", "connect", after: 0, sees: [plain], gets: "2 network", onDisk: 2),
  ]

  @Test(arguments: failures) func `a known failure lasts as long as its origin declared`(testCase: HTTPCase) {
    #expect(testCase.play()?.outcome == testCase.expected)
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
    HTTPCase("a timeout within the window", onError, after: 10, then: ["timeout"], sees: [plain], gets: "1 stale", onDisk: 1),
    HTTPCase("a broken transfer within the window", onError, after: 10, then: ["connection-lost"], sees: [plain], gets: "1 stale", onDisk: 1),
    HTTPCase("the window ends", onError, after: 60, then: ["500"], sees: [plain], gets: "500", onDisk: 1),
    HTTPCase("the window ends while the origin is silent", onError, after: 55, then: ["500"], delay: 5, sees: [plain], gets: "500", onDisk: 1),
    HTTPCase("a stale-if-error that is not a number", "Cache-Control: stale-if-error=x", after: 0, then: ["500"], sees: [plain], gets: "500", onDisk: 1),
    HTTPCase("501 is not an error of the origin", onError, after: 10, then: ["501"], sees: [plain], gets: "501", onDisk: 1),
    HTTPCase("403 is not an error of the origin", onError, after: 10, then: ["403"], sees: [plain], gets: "403", onDisk: 1),
    HTTPCase("404 is not an error of the origin and removes the response", onError, after: 10, then: ["404"], sees: [plain], gets: "404", onDisk: nil),
    HTTPCase("a failed TLS handshake is not an error of the origin", onError, after: 10, then: ["tls"], sees: [plain], gets: "tls", onDisk: 1),
    HTTPCase("a malformed response is not an error of the origin", onError, after: 10, then: ["malformed-response"], sees: [plain], gets: "malformed-response", onDisk: 1),
    HTTPCase("must-revalidate overrides stale-if-error", onError + ", must-revalidate", after: 10, then: ["500"], sees: [plain], gets: "500", onDisk: 1),
    HTTPCase("no-cache overrides stale-if-error", onError + ", no-cache", after: 0, then: ["500"], sees: [plain], gets: "500", onDisk: 1),
    HTTPCase("Vary: * overrides stale-if-error", onError + " | Vary: *", after: 10, then: ["500"], sees: [plain], gets: "500", onDisk: 1),
    HTTPCase("a reload gets the error", onError, after: 10, policy: .reload, then: ["500"], sees: ["cache-control: no-cache"], gets: "500", onDisk: 1),
    HTTPCase("the validation fails", onError + " | ETag: \"a\"", after: 10, then: ["503"], sees: [tag], gets: "1 stale", onDisk: 1),
    HTTPCase("a request may permit a stale response on an error", "Cache-Control: max-age=10", after: 59, cacheControl: "stale-if-error=50", then: ["500"], sees: ["cache-control: stale-if-error=50"], gets: "1 stale", onDisk: 1),
    HTTPCase("a request may forbid a stale response on an error", onError, after: 10, cacheControl: "stale-if-error=0", then: ["500"], sees: ["cache-control: stale-if-error=0"], gets: "500", onDisk: 1),
    HTTPCase("stale-if-error with max-age of the request", onError, after: 10, cacheControl: "max-age=5", then: ["500"], sees: ["cache-control: max-age=5"], gets: "1 stale", onDisk: 1),
  ]

  private static let whileRevalidating = "Cache-Control: max-age=10, stale-while-revalidate=50"

  // swift-format-ignore
  private static let background = [
    HTTPCase("stale-while-revalidate while it is fresh", whileRevalidating, after: 9, sees: [], gets: "1 disk", onDisk: 1),
    HTTPCase("the stale response is returned at once, the new one stored", whileRevalidating, after: 10, sees: [plain], gets: "1 stale", onDisk: 2),
    HTTPCase("the stale response is returned to the end of the window", whileRevalidating, after: 59, sees: [plain], gets: "1 stale", onDisk: 2),
    HTTPCase("the new response is returned after the window", whileRevalidating, after: 60, sees: [plain], gets: "2 network", onDisk: 2),
    HTTPCase("the stale response is validated in the background", whileRevalidating + " | ETag: \"a\"", after: 10, then: ["304"], sees: [tag], gets: "1 stale", onDisk: 1),
    HTTPCase("a stale-while-revalidate that is not a number", "Cache-Control: max-age=10, stale-while-revalidate=x", after: 10, sees: [plain], gets: "2 network", onDisk: 2),
    HTTPCase("an error in the background keeps the earlier response", whileRevalidating, after: 10, then: ["500"], sees: [plain], gets: "1 stale", onDisk: 1),
    HTTPCase("a failed connection in the background keeps the earlier response", whileRevalidating, after: 10, then: ["connect"], sees: [plain], gets: "1 stale", onDisk: 1),
    HTTPCase("404 in the background removes the response", whileRevalidating, after: 10, then: ["404"], sees: [plain], gets: "1 stale", onDisk: nil),
    HTTPCase("no-store in the background removes the response", whileRevalidating, after: 10, then: ["200 | Cache-Control: no-store"], sees: [plain], gets: "1 stale", onDisk: nil),
    HTTPCase("must-revalidate overrides stale-while-revalidate", whileRevalidating + ", must-revalidate", after: 10, sees: [plain], gets: "2 network", onDisk: 2),
    HTTPCase("no-cache overrides stale-while-revalidate", whileRevalidating + ", no-cache", after: 0, sees: [plain], gets: "2 network", onDisk: 2),
    HTTPCase("Vary: * overrides stale-while-revalidate", whileRevalidating + " | Vary: *", after: 0, sees: [plain], gets: "2 network", onDisk: 2),
    HTTPCase("a reload waits for the new response", whileRevalidating, after: 10, policy: .reload, sees: ["cache-control: no-cache"], gets: "2 network", onDisk: 2),
    HTTPCase("offline sends nothing and does not use a stale response", whileRevalidating, after: 10, policy: .offline, sees: [], gets: "not-cached", onDisk: 1),
    HTTPCase("offline with max-stale uses a stale response and sends nothing", whileRevalidating, after: 10, policy: .offline, cacheControl: "max-stale", sees: [], gets: "1 stale", onDisk: 1),
    HTTPCase("a request with max-age waits", whileRevalidating, after: 10, cacheControl: "max-age=10", sees: ["cache-control: max-age=10"], gets: "2 network", onDisk: 2),
    HTTPCase("a request with min-fresh waits", whileRevalidating, after: 10, cacheControl: "min-fresh=1", sees: ["cache-control: min-fresh=1"], gets: "2 network", onDisk: 2),
    HTTPCase("a request with max-stale does not wait and sends nothing", whileRevalidating, after: 10, cacheControl: "max-stale", sees: [], gets: "1 stale", onDisk: 1),
  ]

  @Test(arguments: background)
  func `stale-while-revalidate serves a stale response and revalidates it in the background`(
    testCase: HTTPCase
  ) {
    #expect(testCase.play()?.outcome == testCase.expected)
  }

  @Test(arguments: errors) func `stale-if-error serves a stale response on an error of the origin`(
    testCase: HTTPCase
  ) {
    #expect(testCase.play()?.outcome == testCase.expected)
  }

  @Test(arguments: directives) func `Cache-Control directives of a request are obeyed`(testCase: HTTPCase) {
    #expect(testCase.play()?.outcome == testCase.expected)
  }

  @Test(arguments: freshness) func `a response is used without validation for its lifetime`(
    testCase: HTTPCase
  ) {
    #expect(testCase.play()?.outcome == testCase.expected)
  }

  @Test(arguments: storing) func `responses are stored and removed as RFC 9111 specifies`(testCase: HTTPCase)
  {
    #expect(testCase.play()?.outcome == testCase.expected)
  }

  @Test(arguments: validation) func `stored responses are validated with their tag or date`(
    testCase: HTTPCase
  ) {
    #expect(testCase.play()?.outcome == testCase.expected)
  }
}
