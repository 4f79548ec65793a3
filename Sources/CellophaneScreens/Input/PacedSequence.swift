internal import Cellophane

/// Passes the values of `base` on at a ``Pace``, on `timeline`.
func paced<Base: AsyncSequence & Sendable, P: Pace>(
  _ base: Base, by pace: P, on timeline: Timeline
) -> SpawnedSequence<Base.Element, Base.Failure> where P.Value == Base.Element {
  // Who reads slowly gets the latest.
  SpawnedSequence(timeline: timeline, capacity: 1, overflow: .dropOldest) { mailbox in
    let pacing = Pacing(pace, timeline: timeline, mailbox: mailbox)
    let ending = await withDiscardingTaskGroup { group in
      let ending: Result<Void, Base.Failure>
      do throws(Base.Failure) {
        for try await value in base {
          // Nobody wants more.
          if Task.isCancelled { break }
          if let wakeUp = await pacing.take(value) {
            group.addTask { await pacing.wait(until: wakeUp) }
          }
        }
        ending = .success(())
      } catch {
        ending = .failure(error)
      }
      // Otherwise the last value is still to come, at its time.
      if await !pacing.end() { group.cancelAll() }
      return ending
    }
    mailbox.finish(ending)
  }
}

/// A pace with its clock. An actor, so that what is passed on keeps the order in which it was decided.
private actor Pacing<P: Pace, Failure: Error> {
  private var pace: P
  private let timeline: Timeline
  private let mailbox: Mailbox<P.Value, Failure>

  init(_ pace: P, timeline: Timeline, mailbox: Mailbox<P.Value, Failure>) {
    self.pace = pace
    self.timeline = timeline
    self.mailbox = mailbox
  }

  /// Takes a value; returns when to wake up for it, unless that is under way.
  func take(_ value: P.Value) -> Duration? { follow(pace.take(value, at: timeline.now)) }

  /// Waits, and passes on what is due, as often as the pace says.
  func wait(until time: Duration) async {
    var next: Duration? = time
    while let time = next {
      do { try await timeline.sleep(for: time - timeline.now) } catch { return }
      next = follow(pace.wake(at: timeline.now))
    }
  }

  /// Nothing more comes; true when something is still to be passed on.
  func end() -> Bool {
    _ = follow(pace.end())
    return pace.isHolding
  }

  private func follow(_ step: PaceStep<P.Value>) -> Duration? {
    if let value = step.passedOn { mailbox.yield(value) }
    return step.wakeUp
  }
}
