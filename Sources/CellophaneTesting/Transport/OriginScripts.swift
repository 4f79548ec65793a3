internal import Cellophane

/// The scripts of an origin by URL, and the position in each.
struct OriginScripts {
  /// The answers to one URL, or to each URL with a common beginning.
  enum Script {
    case answers([ScriptedTransport.Answer])
    case closure(@Sendable (TransportRequest) -> ScriptedTransport.Answer)
  }

  /// The scripts of single URLs.
  private var exact: [String: Script] = [:]
  /// The scripts of common beginnings, the longest first.
  private var common: [(beginning: String, script: Script)] = []
  /// The number of requests to each URL since its script was set.
  private var counts: [String: Int] = [:]

  /// Sets the script of a URL, or of all URLs with a common beginning if `url` ends in `*`.
  mutating func set(_ url: String, _ script: Script) {
    guard url.hasSuffix("*") else {
      exact[url] = script
      counts[url] = nil
      return
    }
    let beginning = String(url.dropLast())
    common.removeAll { $0.beginning == beginning }
    let index = common.firstIndex { $0.beginning.utf8.count < beginning.utf8.count } ?? common.endIndex
    common.insert((beginning, script), at: index)
    // A URL with an exact script, or with one for a longer beginning, keeps its position there.
    for key in counts.keys where exact[key] == nil && self.beginning(of: key) == beginning {
      counts[key] = nil
    }
  }

  /// Takes the next answer to a request for `url`; nil without a script.
  mutating func next(for url: String) -> (@Sendable (TransportRequest) -> ScriptedTransport.Answer)? {
    switch exact[url] ?? common.first(where: { url.hasPrefix($0.beginning) })?.script {
    case nil: return nil
    case .closure(let answer): return answer
    case .answers(let answers):
      let number = counts[url, default: 0]
      counts[url] = number + 1
      guard !answers.isEmpty else { return nil }
      let answer = answers[min(number, answers.count - 1)]
      return { _ in answer }
    }
  }

  /// Returns the longest beginning of `url` that has a script.
  private func beginning(of url: String) -> String? {
    common.first { url.hasPrefix($0.beginning) }?.beginning
  }
}
