internal import Cellophane
@testable internal import CellophaneScreens
internal import CellophaneTesting
internal import TestSupport
internal import Testing

@Suite("A search, in virtual time")
struct SearchModelTests {
  /// Plays steps and reads the screen at given times, in milliseconds.
  private func play(
    _ steps: [(at: Int, step: SearchStep)], readingAt readings: [Int], answers: [SearchAnswer] = []
  ) -> (drawn: [String], requests: [String])? {
    let time = VirtualTime()
    let timeline = time.timeline()
    let repository = ScriptedRepository(timeline) { number in
      number < answers.count ? answers[number] : SearchAnswer(milliseconds: 100, outcome: .found)
    }
    return time.run {
      let screen = SearchScreen(repository, debounce: .milliseconds(300), timeline: timeline)
      var drawn: [String] = []
      let events = steps.map { ($0.at, Optional($0.step)) } + readings.map { ($0, nil) }
      for (at, step) in events.sorted(by: { $0.0 < $1.0 }) {
        try? await timeline.sleep(for: .milliseconds(at) - timeline.now)
        if let step { await screen.take(step) } else { drawn.append(await screen.drawn) }
      }
      await time.quiescence()
      #expect(await screen.runningEffects == 0 && repository.running.value == 0)
      #expect(await screen.release())
      return (drawn, repository.requests.value)
    }
  }

  @Test("keys in quick succession start one search")
  func typing() {
    let run = play(
      [(0, .text("H")), (100, .text("He")), (200, .text("Hel"))], readingAt: [499, 501, 599, 601])
    #expect(run?.requests == ["Hel"])
    #expect(run?.drawn == ["idle", "loading", "loading", "results Hel 0"])
  }

  @Test("results of an older text are discarded when they arrive last")
  func wrongOrder() {
    let run = play(
      [(0, .text("a")), (350, .text("ab"))], readingAt: [640, 660, 761, 1_400],
      answers: [SearchAnswer(milliseconds: 1_000, outcome: .found)])
    #expect(run?.requests == ["a", "ab"])
    #expect(run?.drawn == ["loading", "loading", "results ab 1", "results ab 1"])
  }

  @Test("results stay while others load or fail, and a retry searches again")
  func kept() {
    let run = play(
      [(0, .text("a")), (500, .text("ab")), (1_000, .retry)], readingAt: [450, 799, 850, 950, 1_050, 1_150],
      answers: [100, 100, 100].enumerated().map {
        SearchAnswer(milliseconds: $1, outcome: $0 == 1 ? .failed : .found)
      })
    #expect(run?.requests == ["a", "ab", "ab"])
    #expect(
      run?.drawn == [
        "results a 0", "results a 0", "loading a 0", "failed no 1 a 0", "loading a 0", "results ab 2",
      ])
  }

  @Test(
    "blank text clears a waiting, running, displayed or failed search at once", arguments: [10, 350, 450])
  func blank(at time: Int) {
    for outcome in [SearchAnswer.Outcome.found, .failed] {
      let run = play(
        [(0, .text("a")), (time, .text(" \n"))], readingAt: [time + 1, 1_000],
        answers: [SearchAnswer(milliseconds: 100, outcome: outcome)])
      #expect(run?.drawn == ["idle", "idle"])
      #expect(run?.requests == (time < 300 ? [] : ["a"]))
    }
  }

  @Test("a cancellation removes the spinner and returns to the previous results")
  func cancelling() {
    let run = play(
      [
        (0, .text("a")), (350, .cancel), (400, .text("a")), (850, .text("ab")), (1_200, .cancel),
        (1_300, .cancel),
      ],
      readingAt: [360, 650, 701, 810, 1_160, 1_210, 2_000])
    #expect(run?.requests == ["a", "a", "ab"])
    #expect(
      run?.drawn == ["idle", "idle", "loading", "results a 1", "loading a 1", "results a 1", "results a 1"])
  }

  @Test("neither the same text nor the text of the current results starts a search")
  func same() {
    let run = play(
      [
        (0, .text("a")), (100, .text(" a ")), (350, .text("a")), (500, .text("a")), (600, .text("ab")),
        (700, .text("a")), (1_100, .text("ab")), (1_450, .text("a")),
      ], readingAt: [650, 710, 1_420, 1_460])
    #expect(run?.requests == ["a", "ab"])
    #expect(run?.drawn == ["results a 0", "results a 0", "loading a 0", "results a 0"])
  }

  @Test("submit searches at once, unless the search runs or has results")
  func submitting() {
    let run = play(
      [
        (0, .submit), (10, .text("a")), (20, .submit), (30, .submit), (150, .submit), (200, .text("ab")),
        (210, .cancel), (220, .submit),
      ], readingAt: [25, 125, 225, 325])
    #expect(run?.requests == ["a", "ab"])
    #expect(run?.drawn == ["loading", "results a 0", "loading a 0", "results ab 1"])
  }

  @Test("a failure states whether it is retryable; a CancellationError returns to the idle state")
  func failures() {
    let run = play(
      [(0, .text("a")), (500, .retry), (700, .retry), (900, .submit), (1_100, .text("a"))],
      readingAt: [450, 650, 850, 1_050],
      answers: [.failed, .permanent, .gaveUp, .found].map { SearchAnswer(milliseconds: 100, outcome: $0) })
    #expect(run?.requests == ["a", "a", "a", "a"])
    #expect(run?.drawn == ["failed no 0", "failed no 1 permanently", "idle", "results a 3"])
    #expect(UserFacingError(UserFacingError("x")) == UserFacingError("x"))
    #expect(UserFacingError(LoadError.cancelled) == nil && UserFacingError(CancellationError()) == nil)
  }

  @Test("without a debounce, every text starts a search")
  func immediate() {
    let time = VirtualTime()
    let repository = ScriptedRepository(time.timeline()) { _ in SearchAnswer(milliseconds: 1, outcome: .found)
    }
    let drawn = time.run {
      let screen = SearchScreen(repository, debounce: .zero, timeline: time.timeline())
      await screen.take(.text("a"))
      let first = await screen.drawn
      await screen.take(.text("ab"))
      await time.quiescence()
      return [first, await screen.drawn]
    }
    #expect(drawn == ["loading", "results ab 0"] || drawn == ["loading", "results ab 1"])
    #expect(repository.requests.value.last == "ab")
  }

  @Test("releasing the model cancels a waiting or running search", arguments: [10, 350])
  func release(at milliseconds: Int) {
    let time = VirtualTime()
    let repository = ScriptedRepository(time.timeline()) { _ in
      SearchAnswer(milliseconds: 1_000, outcome: .found)
    }
    time.run {
      let screen = SearchScreen(repository, debounce: .milliseconds(300), timeline: time.timeline())
      await screen.take(.text("a"))
      try? await time.timeline().sleep(for: .milliseconds(milliseconds))
      #expect(await screen.release())
    }
    #expect(repository.running.value == 0)
    #expect(time.now.nanoseconds == milliseconds * 1_000_000)
  }
}
