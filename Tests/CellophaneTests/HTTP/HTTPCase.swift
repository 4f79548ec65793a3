@testable internal import Cellophane
internal import CellophaneTesting
internal import TestSupport
internal import Testing

/// One case of the table: the responses of an origin, a later request, and the expected outcome.
///
/// A response is written as `status | field: value | …`; the status 200 may be omitted. The body of the n-th response
/// is the number n, also after the head of a 304, where it must not be read as a body. With `empty` there is no body.
/// The name of an error kind, such as `connect`, is a failed exchange. The first request is sent at Fri, 15 Jan 2027
/// 08:00:00 GMT.
struct HTTPCase: Sendable, CustomTestStringConvertible {
  /// The behavior that the case shows.
  var name: String
  /// The first response of the origin.
  var first: String
  /// Seconds from the first request to the second.
  var after: Int
  /// The policy of the second request.
  var policy = CachePolicy.standard
  /// The header fields of both requests.
  var request: HeaderFields = [:]
  /// The `Cache-Control` of the second request.
  var cacheControl: String?
  /// The later responses of the origin.
  var then = ["200"]
  /// The duration of each exchange in seconds.
  var delay = 0
  /// The header fields that the origin must see in each exchange after the first.
  var sees: [String]
  /// The expected result of the second load: the number with its source or `stale`, or the kind of error.
  var gets: String
  /// The expected number on disk at the end; nil for none.
  var onDisk: Int?

  init(
    _ name: String, _ first: String, after: Int, policy: CachePolicy = .standard,
    request: HeaderFields = [:], cacheControl: String? = nil, then: [String] = ["200"], delay: Int = 0,
    sees: [String], gets: String, onDisk: Int?
  ) {
    (self.name, self.first, self.after, self.policy) = (name, first, after, policy)
    (self.request, self.cacheControl) = (request, cacheControl)
    (self.then, self.delay) = (then, delay)
    (self.sees, self.gets, self.onDisk) = (sees, gets, onDisk)
  }

  var testDescription: String { name }

  /// The observed or expected outcome of a case.
  struct Outcome: Equatable {
    var saw: [String]
    var got: String
    var onDisk: Int?
  }

  /// The expected outcome.
  var expected: Outcome { Outcome(saw: sees, got: gets, onDisk: onDisk) }

  /// Plays the case in virtual time.
  func play() -> (outcome: Outcome, world: HTTPWorld)? {
    let world = HTTPWorld(answers: [first] + then, delay: .seconds(delay))
    let played = world.time.run { () -> (String, Int?) in
      _ = await world.load(request, .standard)
      let elapsed = world.bytes.timeline.now
      try? await world.bytes.timeline.sleep(for: .seconds(after) - elapsed)
      var second = request
      if let cacheControl { second["cache-control"] = cacheControl }
      let got = await world.load(second, policy)
      // Background work is part of the case.
      while await world.bytes.activity.inFlight > 0 {
        try? await world.bytes.timeline.sleep(for: .milliseconds(1))
      }
      return (got, await world.onDisk(request))
    }
    guard let (got, onDisk) = played else { return nil }
    return (Outcome(saw: Array(world.seen.dropFirst()), got: got, onDisk: onDisk), world)
  }
}

/// A byte loader over an origin that answers from a list.
struct HTTPWorld: TestWorld {
  let base: LoaderWorld
  /// The header fields of each request.
  var seen: [String] { origin.requests.map { Self.text($0.headers) } }

  /// No retries: each case is about one response, and a pause would change an age.
  static var once: RetryPolicy {
    var policy = RetryPolicy()
    (policy.retries, policy.firstDelay) = (0, .zero)
    return policy
  }

  init(answers: [String], delay: Duration = .zero, retry: RetryPolicy = once) {
    base = LoaderWorld { $0.retry = retry }
    let count = Shared(0)
    origin.script("*") { request in
      count.update { $0 += 1 }
      let number = count.value
      let script = answers[min(number, answers.count) - 1]
      if let kind = LoadError.Kind(rawValue: script) { return .failure(kind).after(delay) }
      return .init(after: delay, .success(Self.response(script, number, request.url)))
    }
  }

  /// Loads and returns the number with its source or `stale`; on an error the status or the kind.
  func load(_ headers: HeaderFields = [:], _ policy: CachePolicy = .standard) async -> String {
    await base.load("http://origin/a", headers, policy).replacing("disk, stale", with: "stale")
  }

  /// Returns the response on disk.
  func stored(_ headers: HeaderFields = [:]) async -> StoredResponse? {
    guard let request = try? Self.request(headers, .offline) else { return nil }
    return await bytes.disk?.response(for: request.key.response)
  }

  /// Returns the number on disk.
  func onDisk(_ headers: HeaderFields) async -> Int? {
    await stored(headers).flatMap { Int(String(decoding: $0.body, as: UTF8.self)) }
  }

  static func request(
    _ headers: HeaderFields = [:], _ policy: CachePolicy = .standard
  ) throws(LoadError) -> Request<Int> {
    try Request("http://origin/a", headers: headers, options: 0, cachePolicy: policy)
  }

  private static func text(_ headers: HeaderFields) -> String {
    headers.fields.map { "\($0.name): \($0.value)" }.joined(separator: " | ")
  }

  /// Reads `status | field: value | …`. `via: 301` is a redirect before the response, `via: 302 max-age=2` one with
  /// this `Cache-Control`. `via-vary: a` sets the `Vary` of the redirect before it.
  private static func response(_ script: String, _ number: Int, _ url: String) -> TransportResponse {
    var response = TransportResponse(status: 200, body: Array("\(number)".utf8), url: url)
    for part in script.split(separator: " | ") {
      guard let colon = part.firstRange(of: ": ") else {
        if part == "empty" { response.body = [] } else { response.status = Int(part) ?? 0 }
        continue
      }
      let (name, value) = (String(part[..<colon.lowerBound]), String(part[colon.upperBound...]))
      if name == "via" {
        let words = value.split(separator: " ", maxSplits: 1)
        response.redirects.append(
          .init(
            status: words.first.flatMap { Int($0) } ?? 0,
            headers: words.count == 2 ? ["Cache-Control": String(words[1])] : [:]))
      } else if name == "via-vary", let last = response.redirects.indices.last {
        response.redirects[last].headers.append("Vary", value)
      } else {
        response.headers.append(name, value)
      }
    }
    return response
  }
}
