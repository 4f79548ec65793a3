import Cellophane
import Testing

@testable import CellophaneResults
internal import SimulationTestSupport

@Suite struct ScreenOrientationTests {
  @Test(arguments: ListKind.allCases)
  func `a rotation doubles every length with the width, and the top row stays`(kind: ListKind) throws {
    let orientations = try ScreenOrientation.all(
      of: RotationFixture.configuration(kind, rotatedAt: .seconds(4), .seconds(7)))
    #expect(orientations.map(\.start) == [.zero, .seconds(4), .seconds(7)])
    #expect(orientations.map(\.isRotated) == [false, true, false])
    let (upright, rotated) = (orientations[0].layout, orientations[1].layout)
    #expect(orientations[2].layout == upright)
    #expect(rotated.viewport == PixelSize(width: 800, height: 400))
    #expect(rotated.rows == upright.rows && rotated.columns == upright.columns)
    for row in [0, 1, 17, 299] {
      let (before, after) = (upright.pictureSize(of: row), rotated.pictureSize(of: row))
      #expect(after.width == 2 * before.width)
      // A height that the seed draws is rounded twice.
      #expect(abs(after.height - 2 * before.height) <= 1)
    }
    for (before, after) in zip(orientations, orientations.dropFirst()) {
      let offset = before.offset(at: after.start)
      let row = before.layout.visibleRows(at: offset).lowerBound
      #expect(after.layout.visibleRows(at: after.offset(at: after.start)).lowerBound == row)
      #expect(after.state(at: after.start).velocity == 0)
    }
  }

  @Test func `rotations at the start, at the same time and after the end are valid`() throws {
    let early = try ScreenOrientation.all(of: RotationFixture.configuration(.rows, rotatedAt: .zero))
    #expect(early.map(\.isRotated) == [false, true])
    let double = try ScreenOrientation.all(
      of: RotationFixture.configuration(.rows, rotatedAt: .seconds(5), .seconds(5)))
    #expect(double.map(\.isRotated) == [false, true, false])
    #expect(abs(double[2].offset(at: .seconds(5)) - double[0].offset(at: .seconds(5))) < 1)
    let late = try ScreenOrientation.all(of: RotationFixture.configuration(.rows, rotatedAt: .seconds(10)))
    #expect(late.count == 1)
  }

  @Test func `before its rotation a list moves like one without a rotation`() throws {
    let rotated = try ScreenOrientation.all(
      of: RotationFixture.configuration(.cards, rotatedAt: .seconds(6)))[0]
    let upright = try ScreenOrientation.all(of: RotationFixture.configuration(.cards))[0]
    for frame in 0..<360 {
      let time = Duration.seconds(frame) / 60
      #expect(rotated.offset(at: time) == upright.offset(at: time))
    }
  }

  @Test func `a constant motion continues from the offset of the list`() {
    let trajectory = ScrollTrajectory(
      profile: .constant(100), physics: .ios, limit: 1_000, from: 950, seed: 1, lasting: .seconds(30))
    #expect(trajectory.offset(at: .zero) == 950)
    #expect(trajectory.offset(at: .milliseconds(500)) == 1_000)
    #expect(trajectory.offset(at: .seconds(1)) == 950)
    #expect(trajectory.velocity(at: .seconds(1)) == -100)
    #expect(trajectory.offset(at: .milliseconds(10_500)) == 0)
  }
}
