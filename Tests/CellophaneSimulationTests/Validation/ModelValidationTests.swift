import Cellophane
import CellophaneTesting
import FoundationEssentials
import Testing

@testable import CellophaneResults
@testable import CellophaneSimulation
internal import TestSupport

@Suite struct ModelValidationTests {
  static func transfer(
    _ target: String, _ occurrence: Int = 0, begin: Int, end: Int, isComplete: Bool = true
  ) -> TransferTimes.Transfer {
    TransferTimes.Transfer(
      target: target, occurrence: occurrence, begin: .milliseconds(begin),
      answer: .milliseconds(begin + 5), end: .milliseconds(end), isComplete: isComplete)
  }

  @Test
  func `transfers that are complete on both sides are matched by target and occurrence`()
    throws
  {
    let real = [
      Self.transfer("/a", begin: 100, end: 150), Self.transfer("/b", begin: 100, end: 170, isComplete: false),
      Self.transfer("/b", 1, begin: 300, end: 400), Self.transfer("/c", begin: 1, end: 2),
    ]
    let virtual = [
      Self.transfer("/b", begin: 0, end: 30), Self.transfer("/b", 1, begin: 0, end: 90),
      Self.transfer("/a", begin: 0, end: 60),
    ]
    let validation = ModelValidation(SimulationConfiguration(), real: real, virtual: virtual)
    #expect(validation.transfers.matched == 2)
    #expect(validation.transfers.realOnly == 1)
    #expect(validation.transfers.virtualOnly == 1)
    #expect(validation.firstByte?.typicalError == 0)
    #expect(validation.completion?.real.p95 == 100)
    #expect(validation.completion?.virtual.p95 == 90)
    #expect(validation.completion?.typicalError == 10)
    #expect(try JSONDecoder().decode(ModelValidation.self, from: Data(validation.json())) == validation)
    let empty = ModelValidation(SimulationConfiguration(), real: [], virtual: virtual)
    #expect(empty.completion == nil)
  }

  @Test func `the output conforms to the published schema`() throws {
    let schema = try JSONSchema(named: "cellophane.validate.schema.json")
    let transfers = [Self.transfer("/a", begin: 100, end: 150)]
    let values = try [transfers, []].map {
      try AnyJSON(
        ModelValidation(
          SimulationConfiguration(), real: transfers, virtual: $0,
          blankRatio: ModelValidation.BlankRatio(real: $0.isEmpty ? nil : 0.25, virtual: 0.5),
          lateFrames: $0.isEmpty ? nil : 3
        ).json())
    }
    #expect(schema.disagreements(with: values, to: [".config"]) == [])
    let text = String(
      decoding: try ModelValidation(SimulationConfiguration(), real: transfers, virtual: transfers).json(),
      as: UTF8.self)
    for (old, new) in [
      ("\"matched\" : 1", "\"matched\" : \"1\""), ("\"ks\" : 0", "\"ks\" : 2"), ("validate/1", "validate/2"),
      ("\"tool\"", "\"tools\""), ("\"rows\" : 1000", "\"rows\" : true"),
    ] {
      #expect(text.contains(old), "\(old)")
      #expect(schema.faults(of: try AnyJSON(text.replacing(old, with: new).utf8)) != [], "\(new)")
    }
  }

  /// Uses real sockets: two seconds of scrolling over a slow link. Only an idle machine can measure the error of the
  /// model. A busy machine makes times longer and never shorter, so these conditions hold on every machine.
  @Test(.thorough) func `transfers over real sockets are matched with those of the model`() async throws {
    var configuration = SimulationConfiguration(time: .real)
    configuration.duration = .seconds(2)
    configuration.gesture = SimulationConfiguration.Gesture(profile: .constant(300))
    configuration.network.profile = try NetworkProfile(parsing: "down=4000,up=1000,rtt=60")
    configuration.list.image = PixelSize(width: 128, height: 128)
    let validation = try await Simulation(configuration).validate()
    #expect(validation.transfers.matched > 0)
    #expect(validation.config.time == .virtual)
    // Four screens of images are visible, and the first one arrives after three round trips.
    let blank = try #require(validation.blankRatio)
    #expect(blank.real > 0 && blank.real < 1 && blank.virtual > 0 && blank.virtual < 1)
    #expect(validation.lateFrames != nil)
    let firstByte = try #require(validation.firstByte)
    let completion = try #require(validation.completion)
    #expect(firstByte.real.p50 > 60)
    #expect(firstByte.virtual.p50 > 60)
    #expect(completion.real.p50 > firstByte.real.p50)
    #expect(completion.virtual.p50 > firstByte.virtual.p50)
  }
}
