internal import Cellophane
internal import CellophaneTesting
internal import Synchronization

/// The origin of generated pictures, in a model or behind a socket: it counts who asks for what, and answers as fate
/// decides.
final class PictureOrigin: Sendable {
  private let fate: OriginFate
  private let roundTrip: Duration
  private let attempts = Mutex<[String: Int]>([:])
  private let file: @Sendable (_ picture: Int) -> [UInt8]?

  /// An origin with the pictures for which there is a `file`; answers that take `roundTrip` by themselves are slowed
  /// down from there.
  init(
    _ fate: OriginFate, roundTrip: Duration, file: @escaping @Sendable (_ picture: Int) -> [UInt8]?
  ) {
    self.fate = fate
    self.roundTrip = roundTrip
    self.file = file
  }

  /// What it answers to a request for `target`, a path, with these header fields.
  func answer(_ target: String, headers: HeaderFields) -> OriginResponse {
    guard let picture = PictureFiles.picture(at: target), let body = file(picture) else {
      return OriginResponse(status: 404)
    }
    let attempt = attempts.withLock { attempts in
      let attempt = attempts[target, default: 0]
      attempts[target] = attempt + 1
      return attempt
    }
    let slowness = fate.slowness(of: target, attempt: attempt)
    let delay = Duration.roundedSeconds(roundTrip.seconds * (slowness - 1))
    var answer = OriginResponse(headers: PictureFiles.headers(of: picture), body: body)
    if fate.fails(target, attempt: attempt) {
      answer = OriginResponse(status: 503)
    } else if fate.mustBeAsked(about: target) {
      let tag = "\"\(picture)\""
      answer.headers["Cache-Control"] = "no-cache"
      answer.headers["ETag"] = tag
      if headers["If-None-Match"] == tag { (answer.status, answer.body) = (304, []) }
    }
    answer.delay = delay
    return answer
  }

  /// What it answers to a request whose URL begins with `base`; 404 to others.
  func answer(_ request: TransportRequest, at base: String) -> OriginResponse {
    guard request.url.hasPrefix(base) else { return OriginResponse(status: 404) }
    return answer(String(request.url.dropFirst(base.count)), headers: request.headers)
  }
}
