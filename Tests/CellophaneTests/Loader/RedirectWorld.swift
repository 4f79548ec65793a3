@testable internal import Cellophane
internal import CellophaneTesting
internal import TestSupport
internal import Testing

/// A byte loader over a disk in memory and origins that answer by URL, in virtual time; redirects are the loader's.
struct RedirectWorld {
  /// What is answered: a status, header fields, and where it leads.
  struct Answer: Sendable {
    var status = 200
    var headers: HeaderFields = [:]
    var body = ""
    var delay = Duration.zero
    var breaksAfter: Int?

    static func to(_ target: String, _ status: Int = 302, _ says: String? = nil) -> Answer {
      var headers: HeaderFields = ["Location": target]
      if let says { headers.append("Cache-Control", says) }
      return Answer(status: status, headers: headers)
    }

    static func picture(_ body: String, _ says: String, tag: String? = nil) -> Answer {
      var headers: HeaderFields = ["Cache-Control": says]
      if let tag { headers.append("ETag", tag) }
      return Answer(headers: headers, body: body)
    }
  }

  let time = VirtualTime()
  let files = MemoryFileSystem()
  /// What is at each URL.
  let site = Shared<[String: Answer]>([:])
  /// What was asked for since the last look: URLs and fields.
  let seen = Shared<[String]>([])
  /// Where every other answer is a failure.
  let failsEverySecond = Shared<String?>(nil)
  let bytes: ByteLoader

  init(retries: Int = 0, after delay: Duration = .zero, rules: [QueryRule] = []) {
    let timeline = time.timeline()
    let transport = ScriptedTransport(timeline: timeline) { [site, seen, failsEverySecond] request in
      let fields = request.headers.fields.map { " \($0.name): \($0.value)" }.joined()
      seen.update { $0.append(request.url + fields) }
      if let place = failsEverySecond.value, request.url.hasPrefix(place) {
        let isFailure = seen.value.count { $0.hasPrefix(place) } % 2 == 1
        return .init(
          after: .milliseconds(50),
          .success(TransportResponse(status: isFailure ? 503 : 200, body: [1], url: request.url)))
      }
      guard var answer = site.value[request.url] else {
        return .init(.failure(LoadError(.connect, "nobody is there", isRetryable: true)))
      }
      if case .from(let first, _)? = request.headers["range"].flatMap(ByteRange.init) {
        answer.status = 206
        answer.headers["content-range"] = "bytes \(first)-\(answer.body.count - 1)/\(answer.body.count)"
        answer.body = String(answer.body.dropFirst(first))
        answer.headers["content-length"] = "\(answer.body.count)"
      }
      var response = TransportResponse(
        status: answer.status, headers: answer.headers, body: Array(answer.body.utf8), url: request.url)
      if answer.status / 100 == 3, let target = answer.headers["location"], !request.followsRedirects {
        response.target = target
      }
      if let count = answer.breaksAfter {
        return .init(
          after: answer.delay, pieces: (0..<count).map { _ in .init(1, pause: .milliseconds(1)) },
          .success(response), breaking: LoadError(.connectionLost, "broke", isRetryable: true))
      }
      return .init(after: answer.delay, .success(response))
    }
    var configuration = ByteLoader.Configuration()
    configuration.retry = HTTPWorld.once
    (configuration.retry.retries, configuration.retry.firstDelay) = (retries, delay)
    configuration.queryRules = rules
    bytes = ByteLoader(
      transport: transport,
      disk: DiskCache(directory: "/cache", fileSystem: files, executor: time.lane(), timeline: timeline),
      configuration: configuration, timeline: timeline)
  }

  /// What loads one after the other come to, and what they ask for.
  func load(
    _ url: String = "http://a/", _ headers: HeaderFields = [:], _ policy: CachePolicy = .standard
  ) -> (got: String, asked: [String]) {
    seen.value = []
    let got = time.run { () -> String in
      do throws(LoadError) {
        let loaded = try await bytes.load(Request(url, headers: headers, options: 0, cachePolicy: policy))
        return "\(String(decoding: loaded.bytes, as: UTF8.self)) \(loaded.source.rawValue)"
          + (loaded.isStale ? ", stale" : "")
      } catch {
        return error.status.map { "\($0)" } ?? error.kind.rawValue
      }
    }
    return (got ?? "never", seen.value)
  }

  /// How many responses are on disk.
  var kept: Int { files.files.keys.count { $0.hasSuffix(".cellophane-3") } }

  func pass(_ seconds: Int) { _ = time.run { try? await bytes.timeline.sleep(for: .seconds(seconds)) } }
}
