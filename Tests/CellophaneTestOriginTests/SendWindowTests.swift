internal import Cellophane
internal import CellophaneTesting
internal import Testing

@testable internal import CellophaneTestOrigin

@Suite struct SendWindowTests {
  /// Returns a window for 100 ms at 8 Mbit/s: 100 000 bytes and a segment fill the link.
  static func make() throws -> SendWindow {
    try #require(SendWindow(try NetworkProfile(parsing: "down=8000,rtt=100")))
  }

  @Test func `the window doubles each round trip until it fills the link`() throws {
    var window = try Self.make()
    for (round, room) in [14_600, 29_200, 58_400].enumerated() {
      let now = Duration.milliseconds(100 * round)
      let open = window.room(at: now)
      #expect(open == room)
      window.send(room - 1, at: now)
      let left = window.room(at: now + .milliseconds(50))
      #expect(left == 1)
      #expect(window.opening == nil)
      window.send(1, at: now + .milliseconds(50))
      let none = window.room(at: now + .milliseconds(99))
      #expect(none == 0)
      #expect(window.opening == now + .milliseconds(100))
    }
    let full = window.room(at: .milliseconds(300))
    #expect(full == .max)
  }

  @Test(arguments: [(7_300, 21_900), (7_299, 14_600)])
  func `the window grows by the sent bytes if they are at least half of it`(sent: Int, room: Int) throws {
    var window = try Self.make()
    _ = window.room(at: .zero)
    window.send(sent, at: .zero)
    let next = window.room(at: .milliseconds(100))
    #expect(next == room)
  }

  @Test(arguments: [(1_100, 29_200), (1_101, 14_600)])
  func `after more than a second of idle time the window is that of a new connection`(time: Int, room: Int)
    throws
  {
    var window = try Self.make()
    window.send(14_600, at: .milliseconds(100))
    let next = window.room(at: .milliseconds(time))
    #expect(next == room)
  }

  @Test(arguments: ["unlimited", "down=100", "rtt=100"])
  func `a network without a rate or a round trip has no window`(network: String) throws {
    #expect(SendWindow(try NetworkProfile(parsing: network)) == nil)
  }
}
