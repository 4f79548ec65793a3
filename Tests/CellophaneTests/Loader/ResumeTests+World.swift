@testable internal import Cellophane
internal import CellophaneTesting
internal import TestSupport
internal import Testing

extension ResumeTests {
  /// What an origin does with the n-th request; the body is `0123456789`, in pieces of one byte, 10 ms apart.
  struct Course: Sendable {
    var status = 200
    var headers: HeaderFields = ["ETag": "\"a\"", "Accept-Ranges": "bytes", "Content-Length": "10"]
    var body = "0123456789"
    /// After how many bytes it breaks.
    var breaks: Int?
    /// Whether the first byte comes 10 ms after the head, and not with it.
    var pausesBehindHead = false
    /// Whether nothing follows the head until the time of a load is over.
    var stalls = false
    var redirects: [TransportResponse.Redirect] = []
    /// What comes in place of an answer, and the origin that a redirect leads to.
    var error: LoadError.Kind?
    var redirect: Origin?

    static let whole = Course()
    static func broken(after count: Int) -> Course { Course(breaks: count) }
    /// The rest behind `count` bytes, as it was asked for.
    static func rest(_ count: Int, _ range: String? = nil, tag: String? = "\"a\"", breaks: Int? = nil)
      -> Course
    {
      var headers: HeaderFields = ["Content-Range": range ?? "bytes \(count)-9/10"]
      if let tag { headers.append("ETag", tag) }
      return Course(
        status: 206, headers: headers, body: String("0123456789".dropFirst(count)), breaks: breaks)
    }
    func result(_ url: String) -> Result<TransportResponse, LoadError> {
      if let error { return .failure(LoadError(error, "x", isRetryable: true)) }
      return .success(
        TransportResponse(
          status: status, headers: headers, body: Array(body.utf8), url: url, redirects: redirects))
    }
    func with(_ name: String, _ value: String?) -> Course {
      var copy = self
      copy.headers[name] = value
      return copy
    }
  }

  /// A byte loader over a disk in memory; a new one with the same files is what is there after a restart.
  struct World: Sendable {
    let time: VirtualTime
    let files: MemoryFileSystem
    let seen = Shared<[String]>([])
    let bytes: ByteLoader
    let previews = Shared<[String]>([])

    init(
      _ courses: [Course], after other: World? = nil, retries: Int = 0,
      limits: TransferLimits = TransferLimits()
    ) {
      time = other?.time ?? VirtualTime()
      files = other?.files ?? MemoryFileSystem()
      let timeline = time.timeline()
      let transport = ScriptedTransport(timeline: timeline) { [seen] request in
        seen.update { seen in
          let names = ["range", "if-range", "accept-encoding", "if-none-match"]
          seen.append(names.compactMap { request.headers[$0] }.joined(separator: " "))
        }
        let course = courses[min(seen.value.count, courses.count) - 1]
        let pieces = Array(
          repeating: ScriptedTransport.Answer.Piece(1, pause: .milliseconds(10)), count: course.breaks ?? 10)
        if course.stalls {
          return .init(
            after: .milliseconds(10), pieces: [.init(0, pause: limits.total)], course.result(request.url),
            breaking: LoadError(.timeout, "took too long"))
        }
        return .init(
          after: .milliseconds(10),
          pieces: (course.pausesBehindHead ? [.init(0, pause: .milliseconds(10))] : []) + pieces,
          course.result(request.url), redirect: course.redirect,
          breaking: course.breaks == nil ? nil : LoadError(.connectionLost, "broke", isRetryable: true))
      }
      var configuration = ByteLoader.Configuration()
      configuration.retry.retries = retries
      configuration.retry.seed = 1
      configuration.limits = limits
      bytes = ByteLoader(
        transport: transport,
        disk: DiskCache(directory: "/cache", fileSystem: files, executor: time.lane(), timeline: timeline),
        configuration: configuration, timeline: timeline)
    }

    func load(_ headers: HeaderFields = [:], _ policy: CachePolicy = .standard, for patience: Duration? = nil)
      -> String?
    {
      time.run {
        let result = Shared<String>("")
        let task = bytes.timeline.spawn {
          do throws(LoadError) {
            let request = try Request<Int>(
              "http://origin/a", headers: headers, options: 0, cachePolicy: policy)
            let loaded = try await bytes.load(request)
            result.value = "\(loaded.status) \(String(decoding: loaded.bytes, as: UTF8.self))"
          } catch {
            result.value = error.kind.rawValue
          }
        }
        if let patience {
          try? await bytes.timeline.sleep(for: patience)
          task.cancel()
        }
        await task.value
        return result.value
      }
    }

    func prefix() -> Int? {
      time.run {
        guard let request = try? Request<Int>("http://origin/a", options: 0) else { return nil }
        return await bytes.disk?.prefix(for: request.key.response)?.bytes.count
      } ?? nil
    }
  }
}
