@testable internal import Cellophane
internal import CellophaneTesting
internal import TestSupport
internal import Testing

extension ResumeTests {
  /// The response to one request. By default a 200 with the body `0123456789`, one byte every 10 ms.
  struct Response: Sendable {
    var status = 200
    var headers: HeaderFields = ["ETag": "\"a\"", "Accept-Ranges": "bytes", "Content-Length": "10"]
    var body = "0123456789"
    /// The number of bytes after which the connection breaks; nil for a complete body.
    var breaks: Int?
    /// True if the first byte arrives 10 ms after the head, and not with it.
    var pausesBehindHead = false
    /// True if nothing follows the head until the load's time is over.
    var stalls = false
    var redirects: [TransportResponse.Redirect] = []
    /// The error instead of a response, if any.
    var error: LoadError.Kind?
    /// The origin to which a redirect leads, if any.
    var redirect: Origin?

    static let whole = Response()
    static func broken(after count: Int) -> Response { Response(breaks: count) }
    /// The rest after `count` bytes, as requested.
    static func rest(_ count: Int, _ range: String? = nil, tag: String? = "\"a\"", breaks: Int? = nil)
      -> Response
    {
      var headers: HeaderFields = ["Content-Range": range ?? "bytes \(count)-9/10"]
      if let tag { headers.append("ETag", tag) }
      return Response(
        status: 206, headers: headers, body: String("0123456789".dropFirst(count)), breaks: breaks)
    }
    var result: Result<TransportResponse, LoadError> {
      if let error { return .failure(LoadError(error, "x", isRetryable: true)) }
      return .success(
        TransportResponse(
          status: status, headers: headers, body: Array(body.utf8), url: "", redirects: redirects))
    }
    /// The answer of the transport to a load that takes at most `total`.
    func answer(within total: Duration) -> ScriptedTransport.Answer {
      if stalls {
        return .init(
          after: .milliseconds(10), pieces: [.init(0, pause: total)], result,
          breaking: LoadError(.timeout, "took too long"))
      }
      let pieces = Array(
        repeating: ScriptedTransport.Answer.Piece(1, pause: .milliseconds(10)), count: breaks ?? 10)
      return .init(
        after: .milliseconds(10),
        pieces: (pausesBehindHead ? [.init(0, pause: .milliseconds(10))] : []) + pieces, result,
        redirect: redirect,
        breaking: breaks == nil ? nil : LoadError(.connectionLost, "broke", isRetryable: true))
    }
    func with(_ name: String, _ value: String?) -> Response {
      var copy = self
      copy.headers[name] = value
      return copy
    }
  }

  /// A byte loader whose origin answers from a list. A world after another one has its files, as after a restart.
  struct World: TestWorld {
    let base: LoaderWorld
    private let earlierRequests: Int
    /// The fields of each request that concern ranges and validation.
    var seen: [String] {
      let names = ["range", "if-range", "accept-encoding", "if-none-match"]
      return origin.requests.dropFirst(earlierRequests).map { request in
        names.compactMap { request.headers[$0] }.joined(separator: " ")
      }
    }

    init(
      _ responses: [Response], after other: World? = nil, retries: Int = 0,
      limits: TransferLimits = TransferLimits()
    ) {
      let configure = { (configuration: inout ByteLoader.Configuration) in
        (configuration.retry.retries, configuration.retry.seed) = (retries, 1)
        configuration.limits = limits
      }
      base = other?.base.restarted(configure: configure) ?? LoaderWorld(configure: configure)
      earlierRequests = base.origin.requests.count
      origin.script("http://origin/a", responses.map { $0.answer(within: limits.total) })
    }

    /// Loads the resource. Returns its status and body, or the kind of the error.
    func load(
      _ headers: HeaderFields = [:], _ policy: CachePolicy = .standard, cancelAfter delay: Duration? = nil
    )
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
        if let delay {
          try? await bytes.timeline.sleep(for: delay)
          task.cancel()
        }
        await task.value
        return result.value
      }
    }

    /// Returns the number of bytes of the stored prefix; nil without one.
    func prefix() -> Int? {
      time.run {
        guard let request = try? Request<Int>("http://origin/a", options: 0) else { return nil }
        return await bytes.disk?.prefix(for: request.key.response)?.bytes.count
      } ?? nil
    }
  }
}
