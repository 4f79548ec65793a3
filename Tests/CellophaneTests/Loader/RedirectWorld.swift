@testable internal import Cellophane
internal import CellophaneTesting
internal import TestSupport
internal import Testing

/// A byte loader over a disk in memory and origins that answer by URL, in virtual time. The loader follows
/// redirects.
struct RedirectWorld {
  /// A response: status, header fields, body, and how it arrives.
  struct Response: Sendable {
    var status = 200
    var headers: HeaderFields = [:]
    var body = ""
    var delay = Duration.zero
    /// The number of bytes after which the connection breaks; nil for a complete body.
    var breaksAfter: Int?

    /// A redirect to `target`.
    static func to(_ target: String, _ status: Int = 302, _ cacheControl: String? = nil) -> Response {
      var headers: HeaderFields = ["Location": target]
      if let cacheControl { headers.append("Cache-Control", cacheControl) }
      return Response(status: status, headers: headers)
    }

    /// An image with the text `body`.
    static func image(_ body: String, _ cacheControl: String, tag: String? = nil) -> Response {
      var headers: HeaderFields = ["Cache-Control": cacheControl]
      if let tag { headers.append("ETag", tag) }
      return Response(headers: headers, body: body)
    }
  }

  let time = VirtualTime()
  let files = MemoryFileSystem()
  /// The responses by URL. Requests for other URLs fail.
  let site = Shared<[String: Response]>([:])
  /// The URL and the header fields of each request since the last call of ``load(_:_:_:)``.
  let seen = Shared<[String]>([])
  /// A prefix of URLs for which every other response is a failure; nil for none.
  let failsEverySecond = Shared<String?>(nil)
  let bytes: ByteLoader

  init(retries: Int = 0, after delay: Duration = .zero, rules: [QueryRule] = []) {
    let timeline = time.timeline()
    let transport = ScriptedTransport(timeline: timeline) { [site, seen, failsEverySecond] request in
      let fields = request.headers.fields.map { " \($0.name): \($0.value)" }.joined()
      seen.update { $0.append(request.url + fields) }
      if let prefix = failsEverySecond.value, request.url.hasPrefix(prefix) {
        let isFailure = seen.value.count { $0.hasPrefix(prefix) } % 2 == 1
        return .init(
          after: .milliseconds(50),
          .success(TransportResponse(status: isFailure ? 503 : 200, body: [1], url: request.url)))
      }
      guard var scripted = site.value[request.url] else {
        return .init(.failure(LoadError(.connect, "connection refused", isRetryable: true)))
      }
      if case .from(let first, _)? = request.headers["range"].flatMap(ByteRange.init) {
        scripted.status = 206
        let count = scripted.body.count
        scripted.headers["content-range"] = "bytes \(first)-\(count - 1)/\(count)"
        scripted.body = String(scripted.body.dropFirst(first))
        scripted.headers["content-length"] = "\(scripted.body.count)"
      }
      var response = TransportResponse(
        status: scripted.status, headers: scripted.headers, body: Array(scripted.body.utf8), url: request.url)
      if scripted.status / 100 == 3, let target = scripted.headers["location"], !request.followsRedirects {
        response.target = target
      }
      if let count = scripted.breaksAfter {
        return .init(
          after: scripted.delay, pieces: (0..<count).map { _ in .init(1, pause: .milliseconds(1)) },
          .success(response), breaking: LoadError(.connectionLost, "broke", isRetryable: true))
      }
      return .init(after: scripted.delay, .success(response))
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

  /// Loads `url`. Returns the body with its source, or the error, and the requests to origins.
  func load(
    _ url: String = "http://a/", _ headers: HeaderFields = [:], _ policy: CachePolicy = .standard
  ) -> (result: String, requests: [String]) {
    seen.value = []
    let result = time.run { () -> String in
      do throws(LoadError) {
        let loaded = try await bytes.load(Request(url, headers: headers, options: 0, cachePolicy: policy))
        return "\(String(decoding: loaded.bytes, as: UTF8.self)) \(loaded.source.rawValue)"
          + (loaded.isStale ? ", stale" : "")
      } catch {
        return error.status.map { "\($0)" } ?? error.kind.rawValue
      }
    }
    return (result ?? "never", seen.value)
  }

  /// The number of responses on disk.
  var storedCount: Int { files.files.keys.count { $0.hasSuffix(".cellophane-3") } }

  /// Advances the virtual time by `seconds`.
  func advance(_ seconds: Int) { _ = time.run { try? await bytes.timeline.sleep(for: .seconds(seconds)) } }
}
