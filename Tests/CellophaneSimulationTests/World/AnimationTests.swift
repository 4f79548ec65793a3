import Cellophane
import Testing

@testable import CellophaneResults
@testable import CellophaneSimulation

/// Animated images in simulated runs.
@Suite struct AnimationTests {
  /// Two animated rows at rest, which are loaded within a second.
  private static var resting: SimulationConfiguration {
    var configuration = SimulationConfiguration()
    configuration.replicas = 1
    configuration.duration = .seconds(20)
    configuration.list.rows = 2
    configuration.list.animated = 1
    configuration.list.bytes = .lognormal(Lognormal(median: 5_000, sigma: 0))
    return configuration
  }

  @Test func `visible rows are played at 12,5 frames a second, and no frame is late on idle cores`()
    async throws
  {
    let result = try await Simulation(Self.resting).run(Instrumentation())
    let run = result.metrics.run
    let frames = try #require(run[.animationFrames])
    #expect(frames > 2 * 12.5 * 18 && frames <= 2 * 12.5 * 20)
    #expect(run[.animationLate] == 0)
    #expect(result.baselines[.naive]?[.animationFrames] == nil)
    #expect(result.invariants.broken == [])
    #expect(try SimulationResult(json: result.json()) == result)
  }

  @Test func `frames are late when their decoding takes longer than the cores have`() async throws {
    var configuration = Self.resting
    configuration.decoding.cores = 1
    // 320x320 pixels take 50 ms: of two animations, each is decoded every 100 ms.
    configuration.decoding.png = [500, 500, 500, 500]
    configuration.decoding.jpeg = [500, 500, 500, 500]
    let run = try await Simulation(configuration).run(Instrumentation()).metrics.run
    #expect(try #require(run[.animationLate]) > 0.9)
    #expect(try #require(run[.animationFrames]) < 2 * 10.5 * 20)
  }

  @Test func `a share of the images is animated, with larger files`() async throws {
    var configuration = Self.resting
    configuration.list.animated = 0.5
    let contents = ListContents(configuration.list, seed: 1)
    let animated = (0..<1_000).filter(contents.isAnimated)
    #expect((400...600).contains(animated.count))
    configuration.list.animated = 0
    let still = ListContents(configuration.list, seed: 1)
    for picture in 0..<100 {
      let factor = contents.isAnimated(picture) ? ListContents.animationFactor : 1
      #expect(abs(contents.fileBytes(of: picture) - Int(Double(still.fileBytes(of: picture)) * factor)) <= 9)
      let file = try ModeledFile.head(of: ModeledPictures(contents: contents).file(of: picture)).file
      #expect(file.isAnimated == contents.isAnimated(picture))
    }
    let run = try await Simulation(configuration).run(Instrumentation()).metrics.run
    #expect(run[.animationFrames] == nil && run[.animationLate] == nil)
  }

  @Test(arguments: 0..<10)
  func `scrolled animations leave no work, and a seed repeats them`(seed: UInt64) async throws {
    var configuration = SimulationConfiguration()
    configuration.replicas = 1
    configuration.duration = .seconds(15)
    configuration.list.animated = 0.5
    configuration.list.rows = 200
    configuration.seed = seed
    let results = try await [
      Simulation(configuration).run(Instrumentation()), Simulation(configuration).run(Instrumentation()),
    ]
    #expect(results[0].invariants.broken == [])
    #expect(results[0].metrics.run[.misplacedEvents] == 0)
    #expect(try #require(results[0].metrics.run[.animationFrames]) > 50)
    #expect(results[0].metrics.run[.animationFrames] == results[1].metrics.run[.animationFrames])
  }
}
