/// Decides when values that arrive at any rate are passed on. Pure: each call takes the time, and returns the
/// next step.
protocol Pace<Value>: Sendable {
  associatedtype Value: Sendable

  /// True while a value is held back.
  var isHolding: Bool { get }

  /// Handles a new value.
  mutating func take(_ value: Value, at now: Duration) -> PaceStep<Value>
  /// Handles a wake-up.
  mutating func wake(at now: Duration) -> PaceStep<Value>
  /// Handles the end of the values.
  mutating func end() -> PaceStep<Value>
}

/// The next step of a pace.
struct PaceStep<Value> {
  /// The value to pass on.
  var passedOn: Value?
  /// The time of the next wake-up. At most one wake-up is pending.
  var wakeUp: Duration?
}

extension PaceStep: Equatable where Value: Equatable {}

/// Passes on a value once no other has arrived for `interval`.
struct DebouncePace<Value: Sendable>: Pace {
  let interval: Duration
  private var latest: (value: Value, due: Duration)?
  private var isWaiting = false

  init(interval: Duration) { self.interval = interval }

  var isHolding: Bool { latest != nil }

  mutating func take(_ value: Value, at now: Duration) -> PaceStep<Value> {
    let due = now + interval
    latest = (value, due)
    // The pending wake-up sees the later time.
    if isWaiting { return PaceStep() }
    isWaiting = true
    return PaceStep(wakeUp: due)
  }

  mutating func wake(at now: Duration) -> PaceStep<Value> {
    if let latest, now < latest.due { return PaceStep(wakeUp: latest.due) }
    isWaiting = false
    return end()
  }

  /// The last value is passed on at once, because none can follow it.
  mutating func end() -> PaceStep<Value> {
    defer { latest = nil }
    return PaceStep(passedOn: latest?.value)
  }
}

/// Passes on a value at once if the last one was passed on at least `interval` ago. Otherwise, passes on the
/// latest value at the end of the interval.
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

  /// The last value keeps the interval, too: its wake-up is pending.
  mutating func end() -> PaceStep<Value> { PaceStep() }
}
