import Cellophane
import CellophaneResults
import Testing

@Suite struct ReleaseTests {
  @Test(arguments: [(500.0, 166.174), (1000, 649.666), (2000, 2539.90), (4000, 9929.84), (9000, 40_000)])
  func `repeated flicks accelerate on iOS`(velocity: Double, carried: Double) {
    #expect(abs(ScrollPhysics.ios.carriedMomentum(of: velocity) / carried - 1) < 0.001)
    #expect(abs(ScrollPhysics.ios.carriedMomentum(of: -velocity) / -carried - 1) < 0.001)
    #expect(ScrollPhysics.android.carriedMomentum(of: velocity) == 0)
  }

  @Test func `momentum is carried only in the direction of the flick, and only by fast flicks`() {
    let carried = ScrollPhysics.ios.carriedMomentum(of: 1000)
    #expect(ScrollPhysics.ios.release(at: 2000, after: 1000) == 2000 + carried)
    #expect(ScrollPhysics.ios.release(at: -2000, after: 1000) == -2000)
    #expect(ScrollPhysics.ios.release(at: 300, after: 1000) == 300)
    #expect(ScrollPhysics.ios.release(at: 20_000, after: 0) == 8000)
    #expect(ScrollPhysics.flutter.release(at: 2000, after: 1000) == 2000 + carried)
    #expect(ScrollPhysics.android.release(at: -20_000, after: -1000) == -8000)
  }
}
