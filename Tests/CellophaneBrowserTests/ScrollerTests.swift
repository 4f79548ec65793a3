internal import Cellophane
internal import Testing

@testable internal import CellophaneBrowser

@Suite("Scrolling of the browser")
struct ScrollerTests {
  /// Returns a scroller at the beginning of a list of 100 screens.
  private static func scroller(length: Double = 50_000) -> Scroller {
    var scroller = Scroller()
    scroller.resize(length: length, viewport: 500, at: .zero)
    return scroller
  }

  private static func after(_ milliseconds: Int) -> Duration { .milliseconds(milliseconds) }

  @Test("a push moves the list by its distance and then stops")
  func push() {
    var scroller = Self.scroller()
    scroller.push(by: 400, at: .zero)
    #expect(scroller.isMoving && scroller.velocity(at: .zero) > 0)
    var last = 0.0
    for time in stride(from: 0, through: 5_000, by: 33) {
      let offset = scroller.offset(at: Self.after(time))
      #expect(offset >= last)
      last = offset
      scroller.rest(at: Self.after(time))
    }
    #expect(!scroller.isMoving && abs(last - 400) < 1 && scroller.velocity(at: Self.after(5_000)) == 0)
  }

  @Test("pushes add up to a maximum speed")
  func adding() {
    var scroller = Self.scroller()
    scroller.push(300, at: .zero)
    scroller.push(300, at: .zero)
    #expect(scroller.velocity(at: .zero) == 600)
    for _ in 0..<100 { scroller.push(1_000, at: .zero) }
    #expect(scroller.velocity(at: .zero) == 8_000)
  }

  @Test("a push against the direction stops the list, and the next one moves it back")
  func catching() {
    var scroller = Self.scroller()
    scroller.jump(to: 10_000, at: .zero)
    scroller.push(2_000, at: .zero)
    let stopped = scroller.offset(at: Self.after(100))
    scroller.push(-300, at: Self.after(100))
    #expect(!scroller.isMoving && scroller.offset(at: Self.after(900)) == stopped && stopped > 10_000)
    scroller.push(-300, at: Self.after(900))
    #expect(scroller.velocity(at: Self.after(900)) == -300)
    #expect(scroller.offset(at: Self.after(1_900)) < stopped && scroller.direction == .up)
  }

  @Test("the list stops at its ends, also if it is shorter than the screen")
  func ends() {
    var scroller = Self.scroller(length: 900)
    scroller.push(8_000, at: .zero)
    scroller.rest(at: Self.after(1_000))
    #expect(scroller.offset(at: Self.after(1_000)) == 400 && !scroller.isMoving)
    scroller.resize(length: 600, viewport: 500, at: Self.after(1_000))
    #expect(scroller.offset(at: Self.after(1_000)) == 100)
    scroller.resize(length: 100, viewport: 500, at: Self.after(1_000))
    scroller.push(300, at: Self.after(1_000))
    scroller.rest(at: Self.after(1_033))
    #expect(scroller.offset(at: Self.after(1_033)) == 0 && !scroller.isMoving)
  }

  @Test("the motion has the offset of the drawn lines and the distance to the stop")
  func motion() {
    let lines = ListLines(sections: Array(repeating: nil, count: 100), rowLines: 7)
    var scroller = Scroller()
    scroller.resize(length: lines.layout.length, viewport: 28 * ListLines.unit, at: .zero)
    scroller.push(by: 1_234, at: .zero)
    let motion = scroller.motion(lines.layout, at: Self.after(500))
    let first = scroller.firstLine(at: Self.after(500))
    #expect(motion.offset == Double(first) * ListLines.unit && motion.direction == .down)
    #expect(motion.visible == first / 7..<(first + 28 + 6) / 7)
    let rest = (motion.fling?.distance ?? 0) + scroller.offset(at: Self.after(500))
    #expect(abs(rest - 1_234) < 1)
  }

  @Test("each section has a line for its name, and the list one line after its items")
  func lines() {
    let lines = ListLines(sections: ["a", "a", "b", nil, "b"], rowLines: 3)
    #expect((0...5).map { lines.top(of: $0) } == [0, 4, 7, 11, 14, 18] && lines.count == 19)
    #expect((0...5).map { lines.isHeaded($0) } == [true, false, true, false, true, false])
    #expect(lines.layout.count == 6 && lines.layout.length == 19 * ListLines.unit)
    #expect(ListLines(sections: [], rowLines: 3).count == 1)
  }
}
