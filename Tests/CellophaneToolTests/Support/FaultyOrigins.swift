internal import Cellophane
internal import CellophaneTestOrigin
internal import CellophaneTesting
internal import Foundation
internal import Synchronization

/// Origins with every kind of fault. They count the requests that they receive.
final class FaultyOrigins: Sendable {
  /// A record of a list, its expected result and the requests that its origin receives.
  struct Case {
    let record: String
    /// The kind and the stage of the expected error, and whether a retry may help; nil for success.
    var failure: String?
    /// The targets of its redirects, in order.
    var hops: [String] = []
    /// The expected number of attempts; nil if it varies.
    var tries: Int?
    /// Other spellings of the URL, which are duplicates.
    var copies: [String] = []
  }

  /// Responds correctly, with images and other content.
  let gallery: TestOrigin
  /// Responds to every request with a 429 and a pause of one second.
  private let busy: TestOrigin
  /// Responds with such a 429 once, then with images.
  private let paused: TestOrigin
  /// Responds to the first request for each URL with a 503.
  private let recovering: TestOrigin
  /// Sends no response, or an incomplete one.
  private let slow: TestOrigin
  private let resetting: RawOrigin
  private let truncating: RawOrigin
  /// The base of URLs without a listener.
  private let refusing: String

  init() throws {
    let fresh: HeaderFields = ["cache-control": "max-age=3600"]
    let good = try testImage(8, 8).encoded(as: .png)
    gallery = try TestOrigin { [huge = Self.huge] request in
      let parts = request.path.split(separator: "/")
      switch parts.first {
      case "good": return OriginResponse(headers: fresh, body: good)
      case "text": return OriginResponse(headers: ["content-type": "text/plain"], body: Array("hello".utf8))
      case "half": return OriginResponse(headers: fresh, body: Array(good.prefix(good.count / 2)))
      case "huge": return OriginResponse(headers: fresh, body: huge)
      case "large": return OriginResponse(headers: fresh, body: [UInt8](repeating: 0, count: 300_000))
      case "packed":
        return OriginResponse(headers: ["content-encoding": "gzip"], body: Self.compressed)
      case "loop": return .redirect(to: "/loop")
      case "away": return .redirect(to: "ftp://127.0.0.1/")
      case "hop":
        let remaining = parts.last.flatMap { Int($0) } ?? 0
        return remaining == 0
          ? OriginResponse(headers: fresh, body: good) : .redirect(to: "/hop/\(parts[1])/\(remaining - 1)")
      default: return OriginResponse(status: parts.last.flatMap { Int($0) } ?? 404)
      }
    }
    let pause: HeaderFields = ["retry-after": "1"]
    busy = try TestOrigin { _ in OriginResponse(status: 429, headers: pause) }
    paused = try TestOrigin { request in
      request.sequence == 1
        ? OriginResponse(status: 429, headers: pause) : OriginResponse(headers: fresh, body: good)
    }
    let known = Mutex<Set<String>>([])
    recovering = try TestOrigin { request in
      known.withLock { $0.insert(request.target).inserted }
        ? OriginResponse(status: 503) : OriginResponse(headers: fresh, body: good)
    }
    slow = try TestOrigin { request in
      var response = OriginResponse(body: good)
      response.ending = request.path == "/silent" ? .silent : .hung(after: 4)
      return response
    }
    resetting = try RawOrigin { _ in [.read, .reset] }
    truncating = try RawOrigin { _ in
      [.read, .send("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\nhalf of it"), .cut]
    }
    let stopped = try RawOrigin { _ in [] }
    refusing = stopped.url("")
    stopped.stop()
  }

  /// The records with each kind of fault.
  var cases: [Case] {
    let reset = resetting.url("/reset")
    let notFound = gallery.url("/status/404")
    var cases = [
      Case(record: "http://nothing.invalid/1", failure: "dns dns final", tries: 1),
      Case(record: refusing + "/1", failure: "connect connect retryable"),
      Case(record: reset, failure: "connection-lost http retryable", tries: 3),
      Case(record: truncating.url("/cut"), failure: "connection-lost body retryable", tries: 1),
      Case(record: slow.url("/silent"), failure: "timeout http retryable", tries: 1),
      Case(record: slow.url("/hung"), failure: "timeout body retryable", tries: 1),
      Case(
        record: notFound, failure: "status http final", tries: 1,
        copies: [notFound + "#a", notFound.replacing("http:", with: "HTTP:")]),
      Case(record: gallery.url("/status/410?x=1"), failure: "status http final", tries: 1),
      Case(record: gallery.url("/text"), failure: "unsupported decode final", tries: 1),
      Case(record: gallery.url("/half"), failure: "truncated decode final", tries: 1),
      Case(record: gallery.url("/huge"), failure: "image-too-large decode final", tries: 1),
      Case(record: gallery.url("/large"), failure: "body-too-large body final", tries: 1),
      Case(record: gallery.url("/packed"), failure: "body-too-large body final", tries: 1),
      Case(
        record: gallery.url("/loop"), failure: "redirects http final",
        hops: [String](repeating: "/loop", count: 20), tries: 1),
      Case(record: gallery.url("/away"), failure: "refused http final", tries: 1),
      Case(record: "file:///etc/passwd", failure: "refused input final"),
    ]
    cases += (1...3).map { Case(record: busy.url("/\($0)"), failure: "status http retryable") }
    cases += (1...5).map { Case(record: paused.url("/\($0)")) }
    cases += (1...3).map { Case(record: recovering.url("/\($0)"), tries: 2) }
    cases += (1...3).map { number in
      Case(
        record: gallery.url("/hop/\(number)/\(number)"),
        hops: (0..<number).reversed().map { "/hop/\(number)/\($0)" }, tries: 1)
    }
    let junk = [
      "no url", "ftp://h/x", "http://", "://", "\0\0", "http://h:99999/", "http://a b/", "{\"url\":1}",
      "\u{FEFF}x",
      "http://h/" + String(repeating: "x", count: 200_000), String(repeating: "y", count: 100_000),
    ]
    return cases + junk.map { Case(record: $0, failure: "invalid-request input final") }
  }

  /// Returns a record that is fetched; every tenth also has other spellings.
  func good(_ number: Int) -> Case {
    let url = gallery.url("/good/\(number)")
    let copies =
      number.isMultiple(of: 10) ? [url, url + "#\(number)", "  " + url.replacing("http", with: "hTTp")] : []
    return Case(record: url, tries: 1, copies: copies)
  }

  /// Returns whether no origin can receive a request for `url`.
  func isUnreachable(_ url: String) -> Bool {
    url.hasPrefix(refusing + "/") || url.contains("nothing.invalid")
  }

  /// The number of requests for each URL, at all origins together.
  var requests: [String: Int] {
    var requests: [String: Int] = [:]
    for origin in [gallery, busy, paused, recovering, slow] {
      for (target, count) in origin.requestsByTarget { requests[origin.url(target)] = count }
    }
    for origin in [resetting, truncating] {
      for head in origin.counters.heads {
        requests[origin.url(String(head.split(separator: " ")[1])), default: 0] += 1
      }
    }
    return requests
  }

  /// The beginning of a PNG of 60 000 by 60 000 pixels.
  private static let huge: [UInt8] =
    [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13] + Array("IHDR".utf8)
    + [0, 0, 0xEA, 0x60, 0, 0, 0xEA, 0x60, 8, 2, 0, 0, 0, 0x0F, 0xB0, 0xE2, 0x15]
    + [0, 0, 0, 0] + Array("IDAT".utf8) + [0x35, 0xAF, 0x06, 0x1E]

  /// Gzip data without an end, which decodes to half a megabyte of zeros: a literal and runs of 258 with codes of
  /// fixed length (RFC 1951, section 3.2.6).
  private static let compressed: [UInt8] = {
    var bits: [UInt8] = [1, 1, 0] + [0, 0, 1, 1, 0, 0, 0, 0]
    // 285, a length of 258, and the distance 1.
    for _ in 0..<2_000 { bits += [1, 1, 0, 0, 0, 1, 0, 1] + [0, 0, 0, 0, 0] }
    let bytes = stride(from: 0, to: bits.count - 7, by: 8).map { start in
      (0..<8).reduce(UInt8(0)) { $0 | bits[start + $1] << UInt8($1) }
    }
    return [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 255] + bytes
  }()
}
