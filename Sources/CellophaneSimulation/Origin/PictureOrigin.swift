internal import Cellophane
internal import CellophaneNetwork
internal import Synchronization

/// The origin of generated images, in a model or behind a socket. It counts the attempts for each target, on
/// which its behavior depends.
final class PictureOrigin: Sendable {
  private let behavior: OriginBehavior
  private let network: SimulationConfiguration.Network
  /// The think time; nil if the link models it.
  private let think: ThinkTime?
  private let seed: UInt64
  private let attempts = Mutex<[String: Int]>([:])
  private let versions: PictureVersions?
  private let now: @Sendable () -> Duration
  private let cacheControl: String
  private let file: @Sendable (_ picture: Int, _ version: Int) throws(LoadError) -> [UInt8]?

  /// Creates the origin of `configuration` with the images for which there is a `file`.
  ///
  /// - Parameters:
  ///   - hasThinkTime: True if the origin adds its think time to an answer. A modeled link adds it itself.
  ///   - now: The time of the run, which determines the version of an image.
  init(
    _ configuration: SimulationConfiguration, hasThinkTime: Bool,
    now: @escaping @Sendable () -> Duration = { .zero },
    file: @escaping @Sendable (_ picture: Int, _ version: Int) throws(LoadError) -> [UInt8]?
  ) {
    behavior = OriginBehavior(configuration.origin, seed: configuration.seed)
    network = configuration.network
    think = hasThinkTime ? ThinkTime(median: network.think, sigma: network.thinkSigma) : nil
    seed = configuration.seed
    versions = PictureVersions(configuration.origin, seed: configuration.seed)
    cacheControl = PictureFiles.cacheControl(of: configuration.origin)
    self.now = now
    self.file = file
  }

  /// Returns the response to a request for `target`, a path, with these header fields. The response is a 500 with the
  /// reason if the image cannot be encoded.
  func answer(_ target: String, headers: HeaderFields) -> OriginResponse {
    guard let picture = PictureFiles.picture(at: target) else { return OriginResponse(status: 404) }
    let version = versions?.version(of: picture, at: now()) ?? 0
    let body: [UInt8]
    do throws(LoadError) {
      guard let file = try file(picture, version) else { return OriginResponse(status: 404) }
      body = file
    } catch {
      return OriginResponse(
        status: 500, headers: ["Content-Type": "text/plain"], body: Array((error.message + "\n").utf8))
    }
    let attempt = attempts.withLock { attempts in
      let attempt = attempts[target, default: 0]
      attempts[target] = attempt + 1
      return attempt
    }
    let slowness = behavior.slowness(of: target, attempt: attempt)
    // The delay beyond the round trip and the median think time.
    let usual = network.profile.roundTrip + network.think
    let delay = Duration.roundedSeconds(usual.seconds * (slowness - 1))
    var answer = OriginResponse(headers: PictureFiles.headers(of: picture), body: body)
    if behavior.fails(target, attempt: attempt) {
      answer = OriginResponse(status: 503)
    } else {
      // As file servers do, so that an interrupted transfer can be resumed.
      let tag = version == 0 ? "\"\(picture)\"" : "\"\(picture).\(version)\""
      answer.headers["Cache-Control"] = cacheControl
      answer.headers["ETag"] = tag
      answer.headers["Accept-Ranges"] = "bytes"
      if behavior.mustRevalidate(target) { answer.headers["Cache-Control"] = "no-cache" }
      answer.apply(headers, tag: tag)
    }
    answer.delay = delay + (think?.time(for: target, attempt: attempt, seed: seed) ?? .zero)
    return answer
  }
}
