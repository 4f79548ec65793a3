public import Cellophane

extension ScriptedTransport {
  /// The answer to one request.
  public struct Answer: Sendable {
    /// The time until the response arrives.
    package var delay: Duration
    /// The response, or the error of the exchange. A response with an empty URL gets that of the request.
    package var result: Result<TransportResponse, LoadError>
    /// The pieces in which the body arrives, the first one after `delay`.
    package var pieces: [Piece]
    /// The target of a redirect, which gives the response; nil without a redirect.
    package var redirect: Origin?
    /// The error that ends the exchange after the last piece; nil when the body arrives to its end.
    package var breaking: LoadError?
    /// The connection time that the transport reports. It is not part of `delay`, and no time passes for it.
    package var handshakes: Duration?
    /// Whether the URL of the request is the body.
    private var hasURLAsBody = false
    /// Whether the conditions of a request apply.
    private var obeysConditions = false
    /// Equal pieces of the complete body; nil for `pieces`.
    private var pace: Piece?
    /// The number of bytes after which the body breaks.
    private var breaksAfter: Int?

    /// A part of the body.
    package struct Piece: Sendable {
      /// The number of bytes.
      package var count: Int
      /// The time until the next piece, or until the end.
      package var pause: Duration

      /// Creates a piece of `count` bytes, followed by `pause`.
      package init(_ count: Int, pause: Duration) {
        self.count = count
        self.pause = pause
      }
    }

    /// Creates an answer after `delay`.
    ///
    /// The part of the body that `pieces` do not cover arrives at the end, unless `breaking` ends the exchange before.
    package init(
      after delay: Duration = .zero, pieces: [Piece] = [], _ result: Result<TransportResponse, LoadError>,
      redirect: Origin? = nil, breaking: LoadError? = nil, handshakes: Duration? = nil
    ) {
      self.delay = delay
      self.result = result
      self.pieces = pieces
      self.redirect = redirect
      self.breaking = breaking
      self.handshakes = handshakes
    }

    /// Returns a 200 with this text as its body. By default the body is the requested URL.
    public static func ok(_ body: String? = nil, _ headers: HeaderFields = [:]) -> Answer {
      var answer = status(200, headers, body: Array((body ?? "").utf8))
      answer.hasURLAsBody = body == nil
      return answer
    }

    /// Returns a response with this status.
    public static func status(_ status: Int, _ headers: HeaderFields = [:], body: [UInt8] = []) -> Answer {
      Answer(.success(TransportResponse(status: status, headers: headers, body: body, url: "")))
    }

    /// Returns a redirect to the absolute URL `target`.
    public static func redirect(
      to target: String, status: Int = 302, _ headers: HeaderFields = [:]
    ) -> Answer {
      var headers = headers
      headers["location"] = target
      return .status(status, headers)
    }

    /// Returns an exchange without a response: `.connect` for a refused connection, `.connectionLost` for a broken
    /// one.
    public static func failure(_ kind: LoadError.Kind, isRetryable: Bool = true) -> Answer {
      Answer(.failure(LoadError(kind, "the script ends the exchange", isRetryable: isRetryable)))
    }

    /// Returns the same answer after `delay`.
    public func after(_ delay: Duration) -> Answer { with { $0.delay = delay } }

    /// Returns the same answer with a body in pieces of `count` bytes, each followed by `pause`.
    public func inPieces(of count: Int, every pause: Duration) -> Answer {
      with { $0.pace = Piece(max(1, count), pause: pause) }
    }

    /// Returns the same answer, but the connection breaks after `count` bytes of the body.
    public func broken(after count: Int) -> Answer {
      with {
        $0.breaksAfter = count
        $0.breaking = LoadError(
          .connectionLost, "the connection broke after \(count) bytes", isRetryable: true)
      }
    }

    /// Returns the same answer, but as a file server gives it.
    ///
    /// A request with the validator of the response gets a 304. A request for a range gets a 206 with the rest of the
    /// body.
    public func obeyingConditions() -> Answer { with { $0.obeysConditions = true } }

    private func with(_ change: (inout Answer) -> Void) -> Answer {
      var copy = self
      change(&copy)
      return copy
    }

    /// Returns the response and its pieces, as they depend on the request.
    func completed(for request: TransportRequest) -> Answer {
      guard case .success(var response) = result else { return self }
      if response.url.isEmpty { response.url = request.url }
      if hasURLAsBody { response.body = Array(request.url.utf8) }
      if obeysConditions { response = response.obeyingConditions(of: request) }
      if RedirectPolicy.isRedirect(response.status), response.target == nil {
        response.target = response.headers["location"]
      }
      var answer = self
      answer.result = .success(response)
      let count = min(breaksAfter ?? .max, response.body.count)
      if let pace {
        answer.pieces = stride(from: 0, to: count, by: pace.count).map {
          Piece(min(pace.count, count - $0), pause: pace.pause)
        }
      } else if breaksAfter != nil {
        answer.pieces = [Piece(count, pause: .zero)]
      }
      return answer
    }
  }
}

extension TransportResponse {
  /// Returns the response of a file server to `request`: self, a 304 or a 206.
  fileprivate func obeyingConditions(of request: TransportRequest) -> TransportResponse {
    guard status == 200 else { return self }
    var response = self
    let (tag, date) = (headers["etag"], headers["last-modified"])
    let validator = request.headers["if-none-match"].map { $0 == tag }
    if validator ?? request.headers["if-modified-since"].map({ $0 == date }) ?? false {
      (response.status, response.body) = (304, [])
    } else if case .from(let first, _)? = request.headers["range"].flatMap(ByteRange.init),
      first < body.count,
      request.headers["if-range"].map({ $0 == tag || $0 == date }) ?? true
    {
      response.status = 206
      response.body = Array(body[first...])
      response.headers["content-range"] = "bytes \(first)-\(body.count - 1)/\(body.count)"
      if headers["content-length"] != nil { response.headers["content-length"] = "\(response.body.count)" }
    }
    return response
  }
}
