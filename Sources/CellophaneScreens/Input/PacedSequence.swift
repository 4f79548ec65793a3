internal import Cellophane

/// Passes on the values of `base` at a ``Pace``, on `timeline`.
func paced<Base: AsyncSequence & Sendable, P: Pace>(
  _ base: Base, by pace: P, on timeline: Timeline
) -> SpawnedSequence<Base.Element, Base.Failure> where P.Value == Base.Element {
  // A slow reader gets the latest value.
  SpawnedSequence(timeline: timeline, capacity: 1, overflow: .dropOldest) { mailbox in
    let pacing = Pacing(pace, timeline: timeline, mailbox: mailbox)
    let ending = await withDiscardingTaskGroup { group in
      let ending: Result<Void, Base.Failure>
      do throws(Base.Failure) {
        for try await value in base {
          // The reader has left.
          if Task.isCancelled { break }
          if let wakeUp = await pacing.take(value) {
            group.addTask { await pacing.wait(until: wakeUp) }
          }
        }
        ending = .success(())
      } catch {
        ending = .failure(error)
      }
      // Otherwise the last value is still pending.
      if await !pacing.end() { group.cancelAll() }
      return ending
    }
    mailbox.finish(ending)
  }
}

/// A pace and its clock. An actor, so that values are passed on in the order of the decisions.
private actor Pacing<P: Pace, Failure: Error> {
  private var pace: P
  private let timeline: Timeline
  private let mailbox: Mailbox<P.Value, Failure>

  init(_ pace: P, timeline: Timeline, mailbox: Mailbox<P.Value, Failure>) {
    self.pace = pace
    self.timeline = timeline
    self.mailbox = mailbox
  }

  /// Handles a value. Returns the time of a wake-up to start, or nil if none is needed.
  func take(_ value: P.Value) -> Duration? { follow(pace.take(value, at: timeline.now)) }

  /// Waits, and passes on values, until the pace needs no further wake-up.
  func wait(until time: Duration) async {
    var next: Duration? = time
    while let time = next {
      do { try await timeline.sleep(for: time - timeline.now) } catch { return }
      next = follow(pace.wake(at: timeline.now))
    }
  }

  /// Handles the end of the values. Returns true if a value is still held back.
  func end() -> Bool {
    _ = follow(pace.end())
    return pace.isHolding
  }

  private func follow(_ step: PaceStep<P.Value>) -> Duration? {
    if let value = step.passedOn { mailbox.yield(value) }
    return step.wakeUp
  }
}
