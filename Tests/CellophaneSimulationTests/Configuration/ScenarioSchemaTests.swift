import Cellophane
import FoundationEssentials
import Testing

@testable import CellophaneSimulation
internal import TestSupport

/// The published schema says what is read and written, no more and no less.
@Suite(.thorough)
struct ScenarioSchemaTests {
  let schema: JSONSchema

  init() throws { schema = try JSONSchema(named: "cellophane.scenario.schema.json") }

  @Test(arguments: [SimulationConfiguration.Time.virtual, .real])
  func `what is written keeps to it, in results too`(time: SimulationConfiguration.Time) throws {
    var own = SimulationConfiguration(time: time)
    own.list.pictures = .own(["http://a/1"], allowsFiles: false)
    for configuration in [SimulationConfiguration(time: time), try ScenarioTests.unusual(time), own] {
      #expect(schema.faults(of: try AnyJSON(configuration.scenario())) == [])
      let layout = try ListLayout(rows: 9, rowHeight: 120, picture: PixelSize(width: 112, height: 112))
      let completed = configuration.completed(layout: layout, meanBytes: time == .virtual ? 1 : nil)
      #expect(schema.faults(of: try AnyJSON(try JSONEncoder().encode(completed))) == [])
    }
  }

  @Test func `what is null is not there`() throws {
    for leaf in schema.leaves {
      func json(_ path: some Collection<String>, _ value: String) -> String {
        path.reversed().reduce(value) { "{\"\($1)\": \($0)}" }
      }
      func read(_ json: String) -> String {
        do { return "\(try SimulationConfiguration(scenario: Array(json.utf8)))" } catch {
          return error.message
        }
      }
      let null = json(leaf.path, "null")
      #expect(schema.faults(of: try AnyJSON(null.utf8)) == [], "\(null)")
      #expect(read(null) == read(json(leaf.path.dropLast(), "{}")), "\(null)")
    }
  }

  @Test func `it has every field that is written, and no other`() throws {
    let completed = try ScenarioTests.unusual(.virtual).completed(
      layout: try ScenarioTests.unusual(.virtual).checkedLayout(), meanBytes: 1)
    func paths(_ value: AnyJSON, _ path: [String]) -> [[String]] {
      value.members.map { $0.flatMap { paths($1, path + [$0]) } } ?? [path]
    }
    let written = paths(try AnyJSON(try JSONEncoder().encode(completed)), [])
    #expect(Set(written) == Set(schema.leaves.map(\.path)))
  }

  @Test(arguments: ScenarioTests.malformed + ScenarioTests.outOfRange)
  func `what is refused does not keep to it`(json: String, message: String) throws {
    // What a schema cannot say: that it is JSON at all, and what one field asks of another.
    guard let value = try? AnyJSON(json.utf8), !ScenarioTests.mutual.contains(json) else { return }
    #expect(schema.faults(of: value) != [])
  }

  /// The ends of a range are read; what is beyond is refused, by that field's path.
  @Test func `its ranges are those of the reader`() throws {
    // The median of bytes depends on what it is of.
    for leaf in schema.leaves where leaf.path != ["list", "bytes", "median"] {
      let element = leaf.schema["items"] ?? leaf.schema
      for (bound, step) in [("minimum", -1.0), ("maximum", 1.0)] {
        guard let end = element[bound]?.number else { continue }
        for (value, isAllowed) in [(end, true), (end + step, false)] {
          // Large numbers without an exponent, whole ones without a point.
          let number = Int64(exactly: value).map { "\($0)" } ?? "\(value)"
          let text = leaf.schema["items"] == nil ? number : "[\(number), \(number)]"
          let json = leaf.path.reversed().reduce(text) { "{\"\($1)\": \($0)}" }
          let refusal = Self.refusal(of: json)
          let isRefusedHere = refusal?.hasPrefix(leaf.path.joined(separator: ".")) == true
          if isAllowed {
            #expect(refusal?.contains(" is not in ") != true || !isRefusedHere, "\(json) \(refusal ?? "")")
          } else {
            #expect(isRefusedHere, "\(json) \(refusal ?? "is read")")
          }
        }
      }
    }
  }

  @Test func `its choices are those of the reader`() throws {
    var count = 0
    for leaf in schema.leaves {
      for choice in leaf.schema["enum"]?.list ?? [] {
        guard let text = choice.text else { continue }
        let json = leaf.path.reversed().reduce("\"\(text)\"") { "{\"\($1)\": \($0)}" }
        let refusal = Self.refusal(of: json)
        // Own pictures come by an option of the tool, and sizes in bytes have no default.
        let isAlone = [.text("own"), .text("listed"), .text("lognormal")].contains(choice)
        #expect(refusal == nil || isAlone, "\(json) \(refusal ?? "")")
        count += 1
      }
    }
    #expect(count > 7)
  }

  private static func refusal(of json: String) -> String? {
    do {
      _ = try Simulation(try SimulationConfiguration(scenario: Array(json.utf8)))
      return nil
    } catch {
      return error.message
    }
  }
}
