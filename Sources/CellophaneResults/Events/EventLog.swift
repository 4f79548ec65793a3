package import Cellophane
internal import Synchronization

/// A hash over all events of a run in their order. Two runs with the same hash had the same events at the
/// same times. It takes 8 bytes for a run of any length.
package final class EventLog: RunObserver {
  private let hash = Mutex<UInt64>(0)

  /// Creates the log of a run without events.
  package init() {}

  /// The hash of the events so far. The finalizer of SplitMix64 mixes in each number, so that another number
  /// or another order gives another hash, except with a probability of 2⁻⁶⁴.
  package var fingerprint: UInt64 { hash.withLock { $0 } }

  /// Mixes in an event, unless it only measures what other events report. The numbers of the kinds are part
  /// of the hash.
  package func note(_ event: RunEvent, at time: Duration) {
    let time = time.wholeNanoseconds
    switch event {
    case .bound(let slot, let row): mix(1, time, UInt64(slot), UInt64(row))
    case .displayed(let slot, _, .shown(let identity, let source)):
      mix(2, time, UInt64(slot), identity.number, Self.hash(source.rawValue))
    case .displayed(let slot, _, .failed(let error, _)):
      mix(3, time, UInt64(slot), Self.hash(error.kind.rawValue))
    case .displayed(let slot, _, .preview(let identity)): mix(13, time, UInt64(slot), identity.number)
    case .displayed, .resident, .cached, .transferProgressed, .transferSent: break
    case .drawn(let frame):
      mix(4, time, UInt64(frame.vsync), UInt64(frame.late), frame.offset.bitPattern)
      for cell in frame.cells {
        mix(5, time, UInt64(cell.row), cell.area.bitPattern, cell.shown?.number ?? .max)
      }
    case .transferBegan(let number, let url): mix(6, time, UInt64(number), Self.hash(url))
    case .transferAnswered(let number): mix(12, time, UInt64(number))
    case .transferEnded(let number, let outcome, let bytes):
      mix(7, time, UInt64(number), outcome.number, UInt64(bytes))
    case .transferClosed(let number, let bytes): mix(8, time, UInt64(number), UInt64(bytes))
    case .decodingBegan(let number, let identity): mix(9, time, UInt64(number), identity.number)
    case .decodingEnded(let number, let isComplete): mix(10, time, UInt64(number), isComplete ? 1 : 0)
    case .frameShown(let late): mix(11, time, UInt64(late / .microseconds(1)))
    }
  }

  private func mix(
    _ kind: UInt64, _ time: Int64, _ first: UInt64 = 0, _ second: UInt64 = 0, _ third: UInt64 = 0
  ) {
    hash.withLock { hash in
      hash = SeededDraw.mixed(hash ^ kind)
      hash = SeededDraw.mixed(hash ^ UInt64(bitPattern: time))
      hash = SeededDraw.mixed(hash ^ first)
      hash = SeededDraw.mixed(hash ^ second)
      hash = SeededDraw.mixed(hash ^ third)
    }
  }

  /// Mixes in an event of a loader.
  package func note(_ event: LoadEvent) {
    let time = event.time.wholeNanoseconds
    func note(_ number: UInt64, _ second: UInt64 = 0, _ third: UInt64 = 0) {
      mix(11, time, number, second, third)
    }
    switch event.kind {
    case .joined: note(1)
    case .diskHit(let key, let bytes): note(2, Self.hash(key.url), UInt64(bytes))
    case .revalidated(let key, let bytes): note(3, Self.hash(key.url), UInt64(bytes))
    case .diskFailed(let error): note(4, Self.hash(error.description))
    case .transferStarted(let key): note(5, Self.hash(key.url))
    case .transferFinished(let key, let bytes, _): note(6, Self.hash(key.url), UInt64(bytes))
    case .transferAborted(let key, let bytes): note(7, Self.hash(key.url), UInt64(bytes))
    case .transferFailed(let key, let error, _):
      note(8, Self.hash(key.url), Self.hash(error.kind.rawValue))
    case .decoded(let key, let cost, _): note(9, Self.hash(key.url), UInt64(cost))
    case .decodingFailed(let key, let error):
      note(10, Self.hash(key.url), Self.hash(error.kind.rawValue))
    case .staleDropped(let key): note(11, Self.hash(key.url))
    case .staleOnError(let key, let error, _):
      note(12, Self.hash(key.url), Self.hash(error.kind.rawValue))
    case .staleHit(let key, let bytes): note(13, Self.hash(key.url), UInt64(bytes))
    case .refreshStarted(let key): note(14, Self.hash(key.url))
    case .failureKnown(let key, let error):
      note(15, Self.hash(key.url), Self.hash(error.kind.rawValue))
    case .abandoned(let key, let bytes, let continues):
      note(16, Self.hash(key.url), UInt64(bytes) << 1 | (continues ? 1 : 0))
    case .finishedUnawaited(let key, let saved): note(17, Self.hash(key.url), UInt64(saved))
    case .prefixKept(let key, let bytes): note(18, Self.hash(key.url), UInt64(bytes))
    case .resumed(let key, let bytes): note(19, Self.hash(key.url), UInt64(bytes))
    case .retrying(let key, let error, _):
      note(20, Self.hash(key.url), Self.hash(error.kind.rawValue))
    case .circuitOpened(let origin, let error, _):
      note(21, Self.hash(origin.description), Self.hash(error.kind.rawValue))
    case .circuitClosed(let origin): note(22, Self.hash(origin.description))
    case .circuitRejected(let origin): note(23, Self.hash(origin.description))
    case .narrowed(let origin, let transfers): note(24, Self.hash(origin.description), UInt64(transfers))
    }
  }

  /// Returns a hash that is the same in every process. Swift's own hashes are not.
  static func hash(_ text: String) -> UInt64 { SeededDraw.hash(text) }
}

extension PictureIdentity {
  /// The number that identifies the image in an ``EventLog``.
  fileprivate var number: UInt64 {
    switch self {
    case .row(let row, let version): UInt64(row) | UInt64(version) << 32
    case .unreadable: .max
    case .pixels(let hash): hash
    }
  }
}

extension TransferOutcome {
  /// The number that identifies the outcome in an ``EventLog``.
  fileprivate var number: UInt64 {
    switch self {
    case .completed(let size): UInt64(size ?? 0) << 2
    case .cancelled: 1
    case .failed: 2
    }
  }
}
