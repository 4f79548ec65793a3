internal import Cellophane
internal import Synchronization

/// The names of the records of a run, for templates that can give two records the same name.
///
/// The first record with a name keeps it. Names are stored as hashes; see ``SeenHashes``.
final class NameClaims: Sendable {
  private struct State {
    var names = SeenHashes()
    /// The names with their requests and details.
    var owners = SeenHashes()
  }

  private let seed = UInt64.random(in: 0 ... .max)
  private let state = Mutex(State())

  /// Claims `name` for `subject`.
  ///
  /// - Parameter details: What determines the output besides the request, such as the caption of a sample; nil for nothing.
  /// - Throws: ``LoadError/Kind/invalidRequest`` if a record with another request or other details has the name.
  func claim(_ name: String, for subject: OutputName.Subject, _ details: String? = nil) throws(LoadError) {
    var owner = name + "\n" + (subject.key ?? subject.url)
    if let details { owner += "\n" + details }
    let (nameHash, ownerHash) = (hash(name), hash(owner))
    let isTaken = state.withLock { state in
      if state.names.add(nameHash) {
        _ = state.owners.add(ownerHash)
        return false
      }
      return !state.owners.contains(ownerHash)
    }
    guard isTaken else { return }
    let difference = details == nil ? "" : ", but another URL, caption, box or hash"
    throw LoadError(
      .invalidRequest, "an earlier record has the name '\(name)'\(difference); add {index} to --names")
  }

  private func hash(_ text: String) -> UInt64 { XXH3.checksum(Array(text.utf8).span, seed: seed) }
}
