import Cellophane
import FoundationEssentials
import Testing

@testable import CellophaneResults
internal import TestSupport

/// Tests that the published schema accepts exactly the scenarios that are read and written.
@Suite(.thorough)
struct ScenarioSchemaTests {
  let schema: JSONSchema

  init() throws { schema = try JSONSchema(named: "cellophane.scenario.schema.json") }

  @Test(arguments: [SimulationConfiguration.Time.virtual, .real])
  func `a written scenario matches the schema, also in a result`(time: SimulationConfiguration.Time) throws {
    var own = SimulationConfiguration(time: time)
    own.list.pictures = .own(["http://a/1"], allowsFiles: false)
    for configuration in [SimulationConfiguration(time: time), try ScenarioTests.unusual(time), own] {
      #expect(schema.faults(of: try AnyJSON(configuration.scenario())) == [])
      let layout = try ListLayout(rows: 9, rowHeight: 120, picture: PixelSize(width: 112, height: 112))
      let completed = configuration.completed(layout: layout, meanBytes: time == .virtual ? 1 : nil)
      #expect(schema.faults(of: try AnyJSON(try JSONEncoder().encode(completed))) == [])
    }
  }

  @Test func `a null field is read like an absent field`() throws {
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

  @Test func `the schema has exactly the written fields`() throws {
    let completed = try ScenarioTests.unusual(.virtual).completed(
      layout: try ScenarioTests.unusual(.virtual).checkedLayout(), meanBytes: 1)
    func paths(_ value: AnyJSON, _ path: [String]) -> [[String]] {
      value.members.map { $0.flatMap { paths($1, path + [$0]) } } ?? [path]
    }
    var other = completed
    other.loader.name = .glide
    let written = try [completed, other].flatMap { paths(try AnyJSON(try JSONEncoder().encode($0)), []) }
    #expect(Set(written) == Set(schema.leaves.map(\.path)))
  }

  @Test(arguments: ScenarioTests.malformed + ScenarioTests.outOfRange)
  func `a refused scenario does not match the schema`(json: String, message: String) throws {
    // A schema cannot express that a text is JSON, or that a field depends on another one.
    guard let value = try? AnyJSON(json.utf8), !ScenarioTests.combinations.contains(json) else { return }
    #expect(schema.faults(of: value) != [])
  }

  /// The reader accepts the ends of a range. It refuses the values beyond them with the path of the field.
  @Test func `the ranges of the schema are those of the reader`() throws {
    // The range of this median depends on the distribution.
    for leaf in schema.leaves where leaf.path != ["list", "bytes", "median"] {
      let element = leaf.schema["items"] ?? leaf.schema
      for (bound, step) in [("minimum", -1.0), ("maximum", 1.0)] {
        guard let end = element[bound]?.number else { continue }
        for (value, isAllowed) in [(end, true), (end + step, false)] {
          // Whole numbers have no exponent and no point.
          let number = Int64(exactly: value).map { "\($0)" } ?? "\(value)"
          let text = leaf.schema["items"] == nil ? number : "[\(number), \(number)]"
          let json = leaf.path.reversed().reduce(text) { "{\"\($1)\": \($0)}" }
          let refusal = Self.refusal(of: json)
          let isRefusedHere = refusal?.hasPrefix(leaf.path.joined(separator: ".")) == true
          if isAllowed {
            #expect(refusal?.contains(" is not in ") != true || !isRefusedHere, "\(json) \(refusal ?? "")")
          } else {
            #expect(isRefusedHere, "\(json) \(refusal ?? "is accepted")")
          }
        }
      }
    }
  }

  @Test func `the choices of the schema are those of the reader`() throws {
    var count = 0
    for leaf in schema.leaves {
      for choice in leaf.schema["enum"]?.list ?? [] {
        guard let text = choice.text else { continue }
        let json = leaf.path.reversed().reduce("\"\(text)\"") { "{\"\($1)\": \($0)}" }
        let refusal = Self.refusal(of: json)
        // The user's own images are an option of the tool, and sizes in bytes have no default.
        let isIncomplete = [.text("own"), .text("listed"), .text("lognormal")].contains(choice)
        #expect(refusal == nil || isIncomplete, "\(json) \(refusal ?? "")")
        count += 1
      }
    }
    #expect(count > 7)
  }

  private static func refusal(of json: String) -> String? {
    do {
      _ = try SimulationConfiguration(scenario: Array(json.utf8)).checkedLayout()
      return nil
    } catch {
      return error.message
    }
  }
}
