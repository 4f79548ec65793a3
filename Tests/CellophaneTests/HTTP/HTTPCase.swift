@testable internal import Cellophane
internal import CellophaneTesting
internal import TestSupport
internal import Testing

/// One line of the table: what an origin answers, what is asked later, and what comes of it.
///
/// Answers are written as `status | field: value | …`; 200 may be left out. The body of the n-th answer is the
/// number n, that of a 304 too, which must not be taken for a body; with `empty` there is none. `connect` and the like are kinds of error, and no answer. The first request is made at
/// Fri, 15 Jan 2027 08:00:00 GMT.
struct HTTPCase: Sendable, CustomTestStringConvertible {
  /// What the line shows.
  var name: String
  /// The origin's first answer.
  var first: String
  /// Seconds from the first request to the second.
  var after: Int
  /// The policy of the second request.
  var policy = CachePolicy.standard
  /// The header fields of both requests.
  var request: HeaderFields = [:]
  /// The `Cache-Control` of the second request.
  var saying: String?
  /// The origin's answers from the second on.
  var then = ["200"]
  /// How long each answer takes, in seconds.
  var delay = 0
  /// The header fields that the origin must see in each exchange after the first.
  var sees: [String]
  /// The number that the second caller must get and its source, or that it is stale; or the kind of error.
  var gets: String
  /// The number that must be on disk at the end; nil for none.
  var onDisk: Int?

  init(
    _ name: String, _ first: String, after: Int, policy: CachePolicy = .standard,
    request: HeaderFields = [:], saying: String? = nil, then: [String] = ["200"], delay: Int = 0,
    sees: [String], gets: String, onDisk: Int?
  ) {
    (self.name, self.first, self.after, self.policy) = (name, first, after, policy)
    (self.request, self.saying, self.then, self.delay) = (request, saying, then, delay)
    (self.sees, self.gets, self.onDisk) = (sees, gets, onDisk)
  }

  var testDescription: String { name }

  /// What happened.
  struct Outcome: Equatable {
    var saw: [String]
    var got: String
    var onDisk: Int?
  }

  /// The outcome that the line demands.
  var expected: Outcome { Outcome(saw: sees, got: gets, onDisk: onDisk) }

  /// Plays the line in virtual time.
  func play() -> (outcome: Outcome, world: HTTPWorld)? {
    let world = HTTPWorld(answers: [first] + then, delay: .seconds(delay))
    let played = world.time.run { () -> (String, Int?) in
      _ = await world.load(request, .standard)
      let elapsed = world.bytes.timeline.now
      try? await world.bytes.timeline.sleep(for: .seconds(after) - elapsed)
      var second = request
      if let saying { second["cache-control"] = saying }
      let got = await world.load(second, policy)
      // What goes on in the background is part of the line.
      while await world.bytes.activity.inFlight > 0 {
        try? await world.bytes.timeline.sleep(for: .milliseconds(1))
      }
      return (got, await world.onDisk(request))
    }
    guard let (got, onDisk) = played else { return nil }
    return (Outcome(saw: Array(world.seen.value.dropFirst()), got: got, onDisk: onDisk), world)
  }
}

/// A byte loader over a disk in memory and an origin that answers from a list.
struct HTTPWorld: Sendable {
  let time = VirtualTime()
  let files = MemoryFileSystem()
  let seen = Shared<[String]>([])
  /// How far the calendar was set back, in seconds.
  let setBack = Shared<Int64>(0)
  let transport: ScriptedTransport
  let bytes: ByteLoader

  /// Each line is about one answer, and each pause would change an age.
  static var once: RetryPolicy {
    var policy = RetryPolicy()
    (policy.retries, policy.firstDelay) = (0, .zero)
    return policy
  }

  init(answers: [String], delay: Duration = .zero, retry: RetryPolicy = once) {
    let timeline = Timeline(clock: time, executor: time) { [time, setBack] in
      1_800_000_000 + time.now.nanoseconds / 1_000_000_000 - setBack.value
    }
    transport = ScriptedTransport(timeline: timeline) { [seen] request in
      seen.update { $0.append(Self.text(request.headers)) }
      let number = seen.value.count
      let script = answers[min(number, answers.count) - 1]
      if let kind = LoadError.Kind(rawValue: script) {
        return .init(after: delay, .failure(LoadError(kind, "down", isRetryable: true)))
      }
      return .init(after: delay, .success(Self.response(script, number, request.url)))
    }
    var configuration = ByteLoader.Configuration()
    configuration.retry = retry
    bytes = ByteLoader(
      transport: transport,
      disk: DiskCache(directory: "/cache", fileSystem: files, executor: time.lane(), timeline: timeline),
      configuration: configuration, timeline: timeline)
  }

  /// The number that is loaded, and from where or that it is stale; or the kind of error.
  func load(_ headers: HeaderFields = [:], _ policy: CachePolicy = .standard) async -> String {
    do throws(LoadError) {
      let loaded = try await bytes.load(Self.request(headers, policy))
      let source = loaded.isStale ? "stale" : loaded.source.rawValue
      return "\(String(decoding: loaded.bytes, as: UTF8.self)) \(source)"
    } catch {
      return error.status.map { "\($0)" } ?? error.kind.rawValue
    }
  }

  /// What is on disk.
  func stored(_ headers: HeaderFields = [:]) async -> StoredResponse? {
    guard let request = try? Self.request(headers, .offline) else { return nil }
    return await bytes.disk?.response(for: request.key.response)
  }

  /// The number that is on disk.
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

  /// Reads `status | field: value | …`; `via: 301` is a redirect on the way, `via: 302 max-age=2` one with that
  /// `Cache-Control`, and `via-vary: a` behind it is that one's `Vary`.
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
