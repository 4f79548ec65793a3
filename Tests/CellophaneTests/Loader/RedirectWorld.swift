@testable internal import Cellophane
internal import CellophaneTesting
internal import TestSupport

extension ScriptedTransport.Answer {
  /// A redirect to `target` with this `Cache-Control`.
  static func to(_ target: String, _ status: Int = 302, _ cacheControl: String? = nil) -> Self {
    .redirect(to: target, status: status, cacheControl.map { ["Cache-Control": $0] } ?? [:])
  }

  /// An image with the text `body`.
  static func image(_ body: String, _ cacheControl: String, tag: String? = nil) -> Self {
    var headers: HeaderFields = ["Cache-Control": cacheControl]
    if let tag { headers.append("ETag", tag) }
    return .ok(body, headers)
  }
}

/// A byte loader that retries only on request, and origins with scripts.
struct RedirectWorld: TestWorld {
  let base: LoaderWorld

  init(
    _ scripts: [String: ScriptedTransport.Answer] = [:], retries: Int = 0, after delay: Duration = .zero,
    rules: [QueryRule] = []
  ) {
    base = LoaderWorld {
      (($0.retry.retries, $0.retry.firstDelay), $0.queryRules) = ((retries, delay), rules)
    }
    script(scripts)
  }

  /// Sets the answers by URL.
  func script(_ scripts: [String: ScriptedTransport.Answer]) {
    for (url, answer) in scripts { origin.script(url, answer) }
  }

  /// Loads `url`. Returns the body with its source, or the error, and the requests to origins.
  func load(
    _ url: String = "http://a/", _ headers: HeaderFields = [:], _ policy: CachePolicy = .standard
  ) -> (result: String, requests: [String]) {
    let earlier = origin.requests.count
    let result = time.run { await base.load(url, headers, policy) }
    return (result ?? "never", origin.requests.dropFirst(earlier).map(\.description))
  }

  /// The number of responses on disk.
  var storedCount: Int { files.entries.count }

  /// Advances the virtual time by `seconds`.
  func advance(_ seconds: Int) { base.advance(.seconds(seconds)) }
}
