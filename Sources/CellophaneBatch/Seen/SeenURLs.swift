internal import Synchronization

/// The URLs that lines have asked for.
final class SeenURLs: Sendable {
  private let urls = Mutex<Set<String>>([])

  /// True when `url` was not there before.
  func add(_ url: String) -> Bool { urls.withLock { $0.insert(url).inserted } }
}
