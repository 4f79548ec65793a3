internal import Cellophane
internal import Synchronization

/// Everything that happens in a run, in the order in which it happens, as a hash: two runs with the same hash did the
/// same at the same times. Nothing is kept but 8 bytes, however long the run.
final class EventLog: Sendable {
  /// What happened. The numbers are part of the hash.
  enum Kind: UInt64 {
    case bound = 1, shown, failed, frame, cell, transferBegan, transferEnded, loader
  }

  private let hash = Mutex<UInt64>(0)
  private let timeline: Timeline

  /// An empty log whose events happen when they are noted.
  init(timeline: Timeline) { self.timeline = timeline }

  /// The hash of what happened so far: each number is mixed in by the finaliser of SplitMix64, so that any other
  /// number, or another order, gives another hash but for a chance of 2⁻⁶⁴.
  var fingerprint: UInt64 { hash.withLock { $0 } }

  /// Notes what happened now, with up to three numbers that say to what.
  func note(_ kind: Kind, _ first: UInt64 = 0, _ second: UInt64 = 0, _ third: UInt64 = 0) {
    let time = UInt64(bitPattern: timeline.now.wholeNanoseconds)
    hash.withLock { hash in
      hash = SeededDraw.mixed(hash ^ kind.rawValue)
      hash = SeededDraw.mixed(hash ^ time)
      hash = SeededDraw.mixed(hash ^ first)
      hash = SeededDraw.mixed(hash ^ second)
      hash = SeededDraw.mixed(hash ^ third)
    }
  }

  /// Notes an event of a loader.
  func note(_ event: LoadEvent) {
    switch event.kind {
    case .joined: note(.loader, 1)
    case .diskHit(let key, let bytes): note(.loader, 2, Self.hash(key.url), UInt64(bytes))
    case .revalidated(let key, let bytes): note(.loader, 3, Self.hash(key.url), UInt64(bytes))
    case .diskFailed(let error): note(.loader, 4, Self.hash(error.description))
    case .transferStarted(let key): note(.loader, 5, Self.hash(key.url))
    case .transferFinished(let key, let bytes, _): note(.loader, 6, Self.hash(key.url), UInt64(bytes))
    case .transferAborted(let key, let bytes): note(.loader, 7, Self.hash(key.url), UInt64(bytes))
    case .transferFailed(let key, let error, _):
      note(.loader, 8, Self.hash(key.url), Self.hash(error.kind.rawValue))
    case .decoded(let key, let cost, _): note(.loader, 9, Self.hash(key.url), UInt64(cost))
    case .decodingFailed(let key, let error):
      note(.loader, 10, Self.hash(key.url), Self.hash(error.kind.rawValue))
    case .staleDropped(let key): note(.loader, 11, Self.hash(key.url))
    case .staleOnError(let key, let error, _):
      note(.loader, 12, Self.hash(key.url), Self.hash(error.kind.rawValue))
    case .staleHit(let key, let bytes): note(.loader, 13, Self.hash(key.url), UInt64(bytes))
    case .refreshStarted(let key): note(.loader, 14, Self.hash(key.url))
    case .failureKnown(let key, let error):
      note(.loader, 15, Self.hash(key.url), Self.hash(error.kind.rawValue))
    case .abandoned(let key, let choice):
      note(.loader, 16, Self.hash(key.url), UInt64(choice.received) << 1 | (choice.goesOn ? 1 : 0))
    case .finishedUnawaited(let key, let saved): note(.loader, 17, Self.hash(key.url), UInt64(saved))
    case .prefixKept(let key, let bytes): note(.loader, 18, Self.hash(key.url), UInt64(bytes))
    case .resumed(let key, let bytes): note(.loader, 19, Self.hash(key.url), UInt64(bytes))
    case .retrying(let key, let error, _):
      note(.loader, 20, Self.hash(key.url), Self.hash(error.kind.rawValue))
    case .originHeld(let origin, let error, _):
      note(.loader, 21, Self.hash(origin.description), Self.hash(error.kind.rawValue))
    case .originReleased(let origin): note(.loader, 22, Self.hash(origin.description))
    case .heldBack(let origin): note(.loader, 23, Self.hash(origin.description))
    }
  }

  /// The same for the same text in every process, which Swift's own hashes are not.
  static func hash(_ text: String) -> UInt64 { SeededDraw.hash(text) }
}

extension PictureIdentity {
  /// A number for an ``EventLog``.
  var number: UInt64 {
    switch self {
    case .row(let row): UInt64(row)
    case .unreadable: .max
    case .pixels(let hash): hash
    }
  }
}
