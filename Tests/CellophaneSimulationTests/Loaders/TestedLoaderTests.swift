import Cellophane
import CellophaneNetwork
import Testing

@testable import CellophaneResults
@testable import CellophaneSimulation

/// Loaders from outside of the simulation.
struct TestedLoaderTests {
  /// A loader that downloads each image when its row appears.
  private final class Simple: RowLoader {
    let context: LoaderContext
    let checksSlots: Bool
    private var tasks: [Int: Task<Void, Never>] = [:]

    init(_ context: LoaderContext, checksSlots: Bool) {
      self.context = context
      self.checksSlots = checksSlots
    }

    func bind(_ slot: Int, to row: Int, isolation: isolated any Actor) {
      guard let request = context.request(of: row) else { return }
      tasks[slot] = context.timeline.spawn { [self] in
        _ = isolation
        do throws(LoadError) {
          let response = try await context.transport.exchange(TransportRequest(url: request.url))
          context.show(try await context.decode(response.body, for: request), in: slot)
        } catch {
          if error.kind != .cancelled { context.fail(slot, with: error) }
        }
      }
    }

    func unbind(_ slot: Int, isolation: isolated any Actor) {
      if checksSlots { tasks[slot]?.cancel() }
    }

    func end(isolation: isolated any Actor) { for task in tasks.values { task.cancel() } }
  }

  private static var configuration: SimulationConfiguration {
    var configuration = VirtualSimulationTests.oneReplica
    configuration.duration = .seconds(5)
    return configuration
  }

  @Test func `a loader has its own metrics beside those of Cellophane`() async throws {
    let simulation = try Simulation(Self.configuration)
    let loader = try TestedLoader("simple") { Simple($0, checksSlots: true) }
    let result = try await simulation.run(testing: loader, records: true)
    let cellophane = try await simulation.run()
    #expect(result.loader == "simple" && cellophane.loader == "cellophane")
    #expect(result.baselines[.cellophane] == cellophane.metrics.run)
    #expect(result.baselines[.naive] == cellophane.baselines[.naive])
    #expect(result.metrics.run[.cancelledTransfers] ?? 0 > 0)
    #expect(result.metrics.run[.memoryHits] == 0)
    let blank = try #require(result.metrics.run[.blankRatio])
    #expect(blank > (try #require(cellophane.metrics.run[.blankRatio])) && blank < 1)
    #expect(result.brokenInvariants.isEmpty)
    #expect(result.recording != nil && result.reproduce == nil)
    // The result is read as it was written.
    #expect(try SimulationResult(json: result.json()).loader == "simple")
  }

  @Test func `an image in a slot with another row is a wrong one`() async throws {
    let loader = try TestedLoader("careless") { Simple($0, checksSlots: false) }
    var configuration = Self.configuration
    configuration.network.profile = try NetworkProfile(parsing: "lh-slow4g")
    let result = try await Simulation(configuration).run(testing: loader)
    #expect(result.metrics.run[.misplacedEvents] ?? 0 > 0)
    #expect(result.brokenInvariants.first?.hasSuffix("wrong images shown") == true)
  }

  @Test func `a loader that never answers waits forever`() async throws {
    final class Silent: RowLoader {
      func bind(_ slot: Int, to row: Int, isolation: isolated any Actor) {}
      func unbind(_ slot: Int, isolation: isolated any Actor) {}
      func end(isolation: isolated any Actor) {}
    }
    let result = try await Simulation(Self.configuration).run(
      testing: try TestedLoader("silent") { _ in Silent() })
    #expect(result.metrics.run[.blankRatio] == 1)
    #expect(result.brokenInvariants.first?.contains("waits forever") == true)
  }

  @Test func `the screen can rotate`() async throws {
    var configuration = Self.configuration
    configuration.events = [
      ScheduledEvent(.rotation, at: .seconds(1)), ScheduledEvent(.memoryWarning, at: .seconds(2)),
    ]
    for loader in [ListedLoader.nuke, .glide] {
      configuration.loader.name = loader
      let result = try await Simulation(configuration).run()
      #expect(result.brokenInvariants.isEmpty && result.loader == loader.rawValue)
    }
  }

  @Test(arguments: ["", "naive", "cellophane", "a b", "<b>", "a-name-that-is-too-long"])
  func `other names are refused`(name: String) {
    #expect(throws: LoadError.self) { try TestedLoader(name) { Simple($0, checksSlots: true) } }
    #expect(throws: LoadError.self) {
      try TestedLoader("fine", connectionsPerHost: 0) { Simple($0, checksSlots: true) }
    }
  }
}
