/// Decides when values that come at any rate are passed on. Pure: time comes in with each call, and each says what
/// to do.
protocol Pace<Value>: Sendable {
  associatedtype Value: Sendable

  /// True while a value is kept that is to be passed on.
  var isHolding: Bool { get }

  /// A value came.
  mutating func take(_ value: Value, at now: Duration) -> PaceStep<Value>
  /// The time of a wake-up came.
  mutating func wake(at now: Duration) -> PaceStep<Value>
  /// Nothing more will come.
  mutating func end() -> PaceStep<Value>
}

/// What to do now.
struct PaceStep<Value> {
  /// The value to pass on.
  var passedOn: Value?
  /// When to call back; at most one wake-up is under way.
  var wakeUp: Duration?
}

extension PaceStep: Equatable where Value: Equatable {}

/// Passes on a value once no other has come for `interval`.
struct DebouncePace<Value: Sendable>: Pace {
  let interval: Duration
  private var latest: (value: Value, due: Duration)?
  private var isWaiting = false

  init(interval: Duration) { self.interval = interval }

  var isHolding: Bool { latest != nil }

  mutating func take(_ value: Value, at now: Duration) -> PaceStep<Value> {
    let due = now + interval
    latest = (value, due)
    // The wake-up that is under way finds the later time.
    if isWaiting { return PaceStep() }
    isWaiting = true
    return PaceStep(wakeUp: due)
  }

  mutating func wake(at now: Duration) -> PaceStep<Value> {
    if let latest, now < latest.due { return PaceStep(wakeUp: latest.due) }
    isWaiting = false
    return end()
  }

  /// Nothing can follow the last value, so it need not wait.
  mutating func end() -> PaceStep<Value> {
    defer { latest = nil }
    return PaceStep(passedOn: latest?.value)
  }
}

/// Passes on a value at once, unless one was passed on less than `interval` ago: then the latest is at its end.
struct ThrottlePace<Value: Sendable>: Pace {
  let interval: Duration
  private var latest: Value?
  private var opens: Duration?
  private var isWaiting = false

  init(interval: Duration) { self.interval = interval }

  var isHolding: Bool { latest != nil }

  mutating func take(_ value: Value, at now: Duration) -> PaceStep<Value> {
    guard let opens, isWaiting || now < opens else {
      opens = now + interval
      return PaceStep(passedOn: value)
    }
    latest = value
    if isWaiting { return PaceStep() }
    isWaiting = true
    return PaceStep(wakeUp: opens)
  }

  mutating func wake(at now: Duration) -> PaceStep<Value> {
    isWaiting = false
    opens = now + interval
    defer { latest = nil }
    return PaceStep(passedOn: latest)
  }

  /// The last value keeps the distance, too: its wake-up is under way.
  mutating func end() -> PaceStep<Value> { PaceStep() }
}
