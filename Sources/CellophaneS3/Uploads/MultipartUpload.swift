/// The upload of a file and of its index: a state machine without I/O.
///
/// The caller runs the actions of ``next()`` and reports the end of each to ``receive(_:)``. After each event it stores
/// ``saved``, so that another process can resume the upload. The index is written after all parts, and the object appears
/// after the index.
package struct MultipartUpload: Sendable {
  /// What another process needs to resume the upload.
  package struct Saved: Equatable, Sendable {
    package var id: String
    /// The entity tags of stored parts, by their numbers.
    package var etags: [Int: String]

    package init(id: String, etags: [Int: String] = [:]) { (self.id, self.etags) = (id, etags) }
  }

  package enum Action: Equatable, Sendable {
    case findUploads
    case abort(String)
    case listParts(String)
    case create
    case upload(part: Int, id: String)
    case putIndex
    case complete(id: String, etags: [String])
    case checkObject
  }

  package enum Event: Equatable, Sendable {
    case found([String])
    case aborted
    case listed([S3Part])
    case created(String)
    case stored(part: Int, etag: String)
    case indexed
    case completed
    /// The length of the object; nil if it does not exist.
    case checked(Int?)
    case failed(Action, S3Error)
  }

  private enum Phase: Equatable {
    case finding, aborting, listing, checking, creating, sending, indexing, completing
    /// Looks for uploads that a repeated request has begun.
    case sweeping
    case done
    case failed
  }

  /// The maximum number of concurrent parts. 4: most servers limit the rate of a connection, and more rarely raise the
  /// total.
  package static let width = 4
  /// The maximum number of uploads that are begun because the server lost one.
  private static let mostRestarts = 3

  package let layout: PartLayout
  package private(set) var saved: Saved?
  package private(set) var failure: S3Error?
  private var phase = Phase.finding
  private var afterAborts = Phase.creating
  private var aborts: [String] = []
  /// True while the only action of a phase runs.
  private var isRunning = false
  private var runningParts: Set<Int> = []
  private var isLost = false
  private var restarts = 0

  /// - Parameter saved: The state that an earlier process stored; nil without one.
  package init(size: Int, saved: Saved?) { (layout, self.saved) = (PartLayout(size: size), saved) }

  package var isDone: Bool { phase == .done }

  /// Returns the next action that may start now; nil if one must end first, and at the end.
  package mutating func next() -> Action? {
    if phase == .sending { return nextPart() }
    guard !isRunning, let action else { return nil }
    isRunning = true
    return action
  }

  /// The action of a phase that has only one at a time.
  private var action: Action? {
    switch phase {
    case .finding, .sweeping: .findUploads
    case .aborting: aborts.last.map(Action.abort)
    case .listing: saved.map { .listParts($0.id) }
    case .checking: .checkObject
    case .creating: .create
    case .indexing: .putIndex
    case .completing:
      saved.map { saved in .complete(id: saved.id, etags: (1...layout.count).compactMap { saved.etags[$0] }) }
    case .sending, .done, .failed: nil
    }
  }

  private mutating func nextPart() -> Action? {
    guard let saved, !isLost, runningParts.count < Self.width else { return nil }
    let missing = (1...layout.count).first { saved.etags[$0] == nil && !runningParts.contains($0) }
    guard let missing else {
      guard runningParts.isEmpty else { return nil }
      phase = .indexing
      return next()
    }
    runningParts.insert(missing)
    return .upload(part: missing, id: saved.id)
  }

  /// Notes the end of an action.
  package mutating func receive(_ event: Event) {
    switch event {
    case .stored(let part, _), .failed(.upload(let part, _), _): runningParts.remove(part)
    default: isRunning = false
    }
    switch event {
    case .found(let ids): take(ids)
    case .aborted,
      .failed(.abort, _) where phase == .aborting && afterAborts == .done:
      endAbort()
    case .listed(let parts):
      // A part without a stored tag is sent again: it could be that of another file.
      let stored = Set(parts.map { S3Part(number: $0.number, etag: S3Part.plain($0.etag), size: $0.size) })
      let etags = saved?.etags ?? [:]
      saved?.etags = etags.filter { number, etag in
        (1...layout.count).contains(number)
          && stored.contains(
            S3Part(number: number, etag: S3Part.plain(etag), size: layout.range(of: number).count))
      }
      phase = .sending
    case .created(let id):
      saved = Saved(id: id)
      phase = .sending
    case .stored(let part, let etag): saved?.etags[part] = etag
    case .indexed: phase = .completing
    case .completed: phase = .sweeping
    // The object is complete, but the response to the request was lost.
    case .checked(layout.size): phase = .sweeping
    case .checked: restart()
    case .failed(let action, let error): fail(action, error)
    }
    if isLost, runningParts.isEmpty, phase == .sending { restart() }
  }

  private mutating func take(_ ids: [String]) {
    let isEnd = phase == .sweeping
    aborts = isEnd ? ids : ids.filter { $0 != saved?.id }
    if isEnd {
      afterAborts = .done
    } else if let saved {
      // An upload that the server does not know may be complete.
      afterAborts = ids.contains(saved.id) ? .listing : .checking
    } else {
      afterAborts = .creating
    }
    phase = aborts.isEmpty ? afterAborts : .aborting
  }

  private mutating func endAbort() {
    aborts.removeLast()
    if aborts.isEmpty { phase = afterAborts }
  }

  private mutating func restart() {
    isLost = false
    saved = nil
    restarts += 1
    phase = .creating
    guard restarts > Self.mostRestarts else { return }
    failure = S3Error("the server lost the upload \(restarts) times", isRetryable: true)
    phase = .failed
  }

  private mutating func fail(_ action: Action, _ error: S3Error) {
    switch action {
    case .upload where error.isMissing && phase == .sending: isLost = true
    case .listParts where error.isMissing, .complete where error.isMissing: phase = .checking
    case .complete where error.code == "InvalidPart":
      // Another process has replaced a part.
      restart()
    // The object exists. A later run, or a rule of the bucket, removes the upload.
    case .findUploads where phase == .sweeping: phase = .done
    default:
      failure = failure ?? error
      phase = .failed
    }
  }
}
