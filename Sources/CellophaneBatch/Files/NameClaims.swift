internal import Cellophane
internal import Synchronization

/// The names of the records of a run, for templates that can give two records the same name.
///
/// The first record with a name keeps it. Names are stored as hashes; see ``SeenHashes``.
final class NameClaims: Sendable {
  private struct State {
    var names = SeenHashes()
    /// The pairs of names and requests.
    var owners = SeenHashes()
  }

  private let seed = UInt64.random(in: 0 ... .max)
  private let state = Mutex(State())

  /// Claims a name for `subject`. Returns the name if a record with another request has it.
  func takenName(_ name: String?, of subject: OutputName.Subject) -> String? {
    guard let name else { return nil }
    let (nameHash, ownerHash) = (hash(name), hash(name + "\n" + (subject.key ?? subject.url)))
    return state.withLock { state in
      if state.names.add(nameHash) {
        _ = state.owners.add(ownerHash)
        return nil
      }
      return state.owners.contains(ownerHash) ? nil : name
    }
  }

  private func hash(_ text: String) -> UInt64 { XXH3.checksum(Array(text.utf8).span, seed: seed) }
}
