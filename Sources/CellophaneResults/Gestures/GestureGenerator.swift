internal import Cellophane

/// A generator of gestures: rest, drag and fling. A fling runs out, or a finger touches the list some time after the
/// release, to stop it or to flick again.
struct GestureGenerator: Sendable, Hashable {
  let gestures: GestureParameters
  let physics: ScrollPhysics
  let draw: SeededDraw
  private var gesture = 0
  private var isFlickingAgain = false
  /// The signed velocity of the list when the finger touched it again; 0 if it rested.
  private var touchedAt = 0.0

  init(gestures: GestureParameters, physics: ScrollPhysics, draw: SeededDraw) {
    self.gestures = gestures
    self.physics = physics
    self.draw = draw
  }

  /// The duration of an animated jump to the top, in s (assumed, close to that of iOS).
  private static let jumpTime = 0.4

  /// The longest rest, in s. A day, longer than any run: a draw from the tail of a wide distribution would
  /// overflow.
  private static let longestRest = 86_400.0

  /// The number of gestures of one path. They last about two minutes for `browser`, so that a run of a minute
  /// is stored completely, in 40 KB.
  private static let gesturesAtOnce = 128

  /// Appends gestures until the path lasts until `end`, but at most ``gesturesAtOnce``.
  mutating func move(_ list: inout ScrollPath, until end: Duration) {
    let last = gesture + Self.gesturesAtOnce
    while list.end < end, gesture < last { move(&list) }
  }

  /// Appends one gesture and the rest before it.
  private mutating func move(_ list: inout ScrollPath) {
    defer { gesture += 1 }
    if !isFlickingAgain { rest(&list) }
    if list.finalOffset > 0, draw.chance(gestures.jump, "jump", gesture) {
      list.append(
        .glide(velocity: -list.finalOffset / Self.jumpTime), lasting: .roundedSeconds(Self.jumpTime))
      isFlickingAgain = false
      touchedAt = 0
    } else {
      flick(&list)
    }
  }

  private func rest(_ list: inout ScrollPath) {
    let dwell = draw.lognormal(
      median: gestures.dwell.median, sigma: gestures.dwell.sigma, "dwell", gesture)
    list.append(.rest, lasting: .roundedSeconds(min(dwell, Self.longestRest)))
  }

  private mutating func flick(_ list: inout ScrollPath) {
    let direction = direction(in: list)
    list.append(
      .glide(velocity: direction * gestures.drag / gestures.dragTime),
      lasting: .roundedSeconds(gestures.dragTime))
    let finger = draw.lognormal(
      median: gestures.flick.median, sigma: gestures.flick.sigma, "flick", gesture)
    let release = abs(physics.release(at: direction * finger, after: touchedAt))
    isFlickingAgain = false
    touchedAt = 0
    guard release >= physics.slowestRelease else { return }

    let fling = Fling(physics, speed: release)
    let room = direction > 0 ? list.limit - list.finalOffset : list.finalOffset
    let untilEdge = fling.time(toTravel: room)
    let untilTouch = touch(afterReleaseAt: release)
    if let untilEdge, untilEdge <= untilTouch ?? fling.duration {
      list.append(.fling(fling, direction: direction), lasting: .roundedSeconds(untilEdge))
      list.append(.rest, lasting: physics.bounce)
    } else if let untilTouch {
      let moving = Duration.roundedSeconds(min(untilTouch, fling.duration))
      list.append(.fling(fling, direction: direction), lasting: moving)
      // The list may rest before the finger returns.
      list.append(.rest, lasting: .roundedSeconds(untilTouch) - moving)
      isFlickingAgain = draw.chance(gestures.again, "again", gesture)
      touchedAt = isFlickingAgain ? direction * fling.speed(after: untilTouch) : 0
    } else {
      list.append(.fling(fling, direction: direction), lasting: .roundedSeconds(fling.duration))
    }
  }

  /// Returns the direction of the next flick: down, sometimes up, and away from an end of the list.
  private func direction(in list: ScrollPath) -> Double {
    if list.finalOffset <= 0 { return 1 }
    if list.finalOffset >= list.limit { return -1 }
    return draw.chance(gestures.backward, "direction", gesture) ? -1 : 1
  }

  /// Returns the time from a release at `speed` to the next touch, which stops the list or flicks again. Returns nil if
  /// the fling runs out. Does not depend on ``physics``; see ``GestureParameters/catchTime``.
  private func touch(afterReleaseAt speed: Double) -> Double? {
    let isTouched =
      draw.chance(gestures.again, "again", gesture) || draw.chance(gestures.caught, "caught", gesture)
    guard isTouched else { return nil }
    return Fling(.ios, speed: speed).duration * draw.uniform(in: gestures.catchTime, "touch", gesture)
  }
}
