internal import Cellophane
internal import CellophaneTesting
internal import Synchronization

/// The origin of generated pictures, in a model or behind a socket: it counts who asks for what, and answers as fate
/// decides.
final class PictureOrigin: Sendable {
  private let fate: OriginFate
  private let network: SimulationConfiguration.Network
  /// Nil where the line thinks for it.
  private let think: ThinkTime?
  private let seed: UInt64
  private let attempts = Mutex<[String: Int]>([:])
  private let versions: PictureVersions?
  private let now: @Sendable () -> Duration
  private let cacheControl: String
  private let file: @Sendable (_ picture: Int, _ version: Int) -> [UInt8]?

  /// The origin of `configuration` with the pictures for which there is a `file`.
  ///
  /// - Parameters:
  ///   - thinks: Whether it takes its time to think itself; a modelled line does it for its origin.
  ///   - now: The time of the run, which tells the version of a picture.
  init(
    _ configuration: SimulationConfiguration, thinks: Bool,
    now: @escaping @Sendable () -> Duration = { .zero },
    file: @escaping @Sendable (_ picture: Int, _ version: Int) -> [UInt8]?
  ) {
    fate = OriginFate(configuration.origin, seed: configuration.seed)
    network = configuration.network
    think = thinks ? ThinkTime(median: network.think, sigma: network.thinkSigma) : nil
    seed = configuration.seed
    versions = PictureVersions(configuration.origin, seed: configuration.seed)
    cacheControl = PictureFiles.cacheControl(of: configuration.origin)
    self.now = now
    self.file = file
  }

  /// What it answers to a request for `target`, a path, with these header fields.
  func answer(_ target: String, headers: HeaderFields) -> OriginResponse {
    guard let picture = PictureFiles.picture(at: target) else { return OriginResponse(status: 404) }
    let version = versions?.version(of: picture, at: now()) ?? 0
    guard let body = file(picture, version) else { return OriginResponse(status: 404) }
    let attempt = attempts.withLock { attempts in
      let attempt = attempts[target, default: 0]
      attempts[target] = attempt + 1
      return attempt
    }
    let slowness = fate.slowness(of: target, attempt: attempt)
    // Slower than the round trip and half of the thoughts take.
    let usual = network.profile.roundTrip + network.think
    let delay = Duration.roundedSeconds(usual.seconds * (slowness - 1))
    var answer = OriginResponse(headers: PictureFiles.headers(of: picture), body: body)
    if fate.fails(target, attempt: attempt) {
      answer = OriginResponse(status: 503)
    } else {
      // As the servers of files do, so that what was given up can be continued.
      let tag = version == 0 ? "\"\(picture)\"" : "\"\(picture).\(version)\""
      answer.headers["Cache-Control"] = cacheControl
      answer.headers["ETag"] = tag
      answer.headers["Accept-Ranges"] = "bytes"
      if fate.mustBeAsked(about: target) { answer.headers["Cache-Control"] = "no-cache" }
      if headers["If-None-Match"] == tag {
        (answer.status, answer.body) = (304, [])
      } else if headers["If-Range"] == tag, let offset = Self.offset(in: headers),
        body.indices.contains(offset)
      {
        (answer.status, answer.body) = (206, Array(body[offset...]))
        answer.headers["Content-Range"] = "bytes \(offset)-\(body.count - 1)/\(body.count)"
      }
    }
    answer.delay = delay + (think?.time(for: target, attempt: attempt, seed: seed) ?? .zero)
    return answer
  }

  /// From which byte on the file is asked for, where all behind it is; the form in which a loader continues one.
  private static func offset(in headers: HeaderFields) -> Int? {
    guard let range = headers["Range"], range.hasPrefix("bytes="), range.hasSuffix("-") else { return nil }
    return Int(range.dropFirst(6).dropLast())
  }

  /// What it answers to a request whose URL begins with `base`; 404 to others.
  func answer(_ request: TransportRequest, at base: String) -> OriginResponse {
    guard request.url.hasPrefix(base) else { return OriginResponse(status: 404) }
    return answer(String(request.url.dropFirst(base.count)), headers: request.headers)
  }
}
