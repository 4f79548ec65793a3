internal import CellophaneResults
internal import Foundation
internal import Testing

/// Documentation/man, which `Scripts/make-manual.py` writes, has what the help of the tool has.
@Suite("Manual pages")
struct ManualPageTests {
  private static let documentation = URL(filePath: #filePath).appending(path: "../../../Documentation")
    .standardized
  private static let advice: Comment = "run `make man`"

  private func commands() async throws -> [CommandHelp] {
    let ended = try await Room().run("--experimental-dump-help")
    return try JSONDecoder().decode(Help.self, from: Data(ended.output)).command.all
  }

  @Test func `there is one page for each command, with the version of the tool`() async throws {
    let names = try await commands().map(\.page)
    let folder = Self.documentation.appending(path: "man").path
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder).sorted() == names.sorted(), Self.advice)
    for name in names {
      let page = try ManualPage(name)
      #expect(page.lines.contains { $0.contains("\"cellophane \(SimulationTool.version)\"") }, Self.advice)
    }
  }

  @Test func `a page has the description, the examples and the subcommands of its command`() async throws {
    for command in try await commands() {
      let page = try ManualPage(command.page)
      for line in [command.abstract] + (command.discussion ?? "").split(separator: "\n").map(String.init)
      where line != "Examples:" {
        let text = line.trimmingCharacters(in: .whitespaces)
        #expect(page.lines.contains(text), "\(command.page): \(text); \(Self.advice)")
      }
      for subcommand in command.documentedSubcommands {
        let found = page.entries[subcommand.page.replacing(".1", with: "(1)")]
        #expect(found == [subcommand.abstract], "\(command.page): \(subcommand.page); \(Self.advice)")
      }
    }
  }

  @Test func `a page has the arguments of its command, with their help, defaults and values`() async throws {
    for command in try await commands() {
      let page = try ManualPage(command.page)
      let arguments = (command.arguments ?? []).filter(\.shouldDisplay)
      for argument in arguments {
        let found = page.entries.first { argument.matches(heading: $0.key) }?.value
        let entry = try #require(found, "\(command.page): \(argument); \(Self.advice)")
        let first = try #require(entry.first)
        #expect(first.hasPrefix(argument.abstract), "\(command.page): \(entry); \(Self.advice)")
        #expect(
          argument.notes.allSatisfy { first.dropFirst(argument.abstract.count).contains($0) },
          "\(command.page): \(entry); \(Self.advice)")
        let discussion = (argument.discussion ?? "").split(separator: "\n").map(String.init)
        #expect(Array(entry.dropFirst()) == discussion, "\(command.page): \(entry); \(Self.advice)")
      }
      // No page has an option that does not exist.
      let options = page.entries.keys.flatMap(CommandHelp.Argument.options(in:))
      #expect(Set(options) == Set(arguments.flatMap(\.options)), "\(command.page); \(Self.advice)")
    }
  }

  @Test func `the page of simulate has the metrics of --list metrics`() async throws {
    let lines = try await Room().run("simulate", "--list", "metrics").text.split(separator: "\n").dropFirst()
    let entries = try ManualPage("cellophane-simulate.1").entries
    #expect(lines.count > 100)
    for (heading, meaning) in zip(lines, lines.dropFirst()) where meaning.hasPrefix("    ") {
      #expect(entries[String(heading)] == [meaning.trimmingCharacters(in: .whitespaces)], Self.advice)
    }
  }

  @Test(arguments: ["Exit codes", "Environment variables"])
  func `the first page has the tables of CommandLine.md`(heading: String) throws {
    let text = try String(contentsOf: Self.documentation.appending(path: "CommandLine.md"), encoding: .utf8)
    let section = try #require(text.components(separatedBy: "\n## \(heading)\n").dropFirst().first)
    let rows = section.prefix(upTo: section.range(of: "\n## ")?.lowerBound ?? section.endIndex)
      .replacing("`", with: "").split(separator: "\n").filter { $0.hasPrefix("|") }.dropFirst(2)
    #expect(rows.count > 3)
    let entries = try ManualPage("cellophane.1").entries
    for row in rows {
      let cells = row.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
      #expect(entries[cells[0]] == Array(cells.dropFirst()), "\(row); \(Self.advice)")
    }
  }

  /// A manual page without its formatting.
  private struct ManualPage {
    let lines: [String]
    /// The paragraphs below the heading of each entry.
    private(set) var entries: [String: [String]] = [:]

    init(_ name: String) throws {
      let file = ManualPageTests.documentation.appending(path: "man/\(name)")
      lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n").map { line in
        [
          ("\\fB", ""), ("\\fI", ""), ("\\fR", ""), ("\\&", ""), ("\\-", "-"), ("\\(aq", "'"), ("\\(ga", "`"),
          ("\\(ha", "^"), ("\\(ti", "~"), ("\\(dq", "\""), ("\\(rs", "\\"),
          ("\\[u00B7]", "·"),
        ].reduce(String(line)) { $0.replacing($1.0, with: $1.1) }
      }
      var heading: String?
      for (previous, line) in zip(lines, lines.dropFirst()) {
        if previous == ".TP" {
          heading = line
          entries[line] = []
        } else if line.firstMatch(of: /^\.[A-Z]/) == nil {
          heading.map { entries[$0, default: []].append(line) }
        } else if line != ".IP" {
          heading = nil
        }
      }
    }
  }
}

/// The part of `--experimental-dump-help` that the pages show.
private struct Help: Decodable { let command: CommandHelp }

private struct CommandHelp: Decodable {
  let commandName: String
  let abstract: String
  let discussion: String?
  let superCommands: [String]?
  let arguments: [Argument]?
  let subcommands: [CommandHelp]?

  /// The commands without `help`, which has no page.
  var documentedSubcommands: [CommandHelp] { (subcommands ?? []).filter { $0.commandName != "help" } }
  var all: [CommandHelp] { [self] + documentedSubcommands.flatMap(\.all) }
  var page: String { ((superCommands ?? []) + [commandName]).joined(separator: "-") + ".1" }

  struct Argument: Decodable {
    struct Name: Decodable {
      let kind: String
      let name: String
    }

    let kind: String
    let shouldDisplay: Bool
    let names: [Name]?
    let valueName: String
    // Only the arguments of `help` have none.
    private let abstractIfAny: String?
    let discussion: String?
    let defaultValue: String?
    let allValues: [String]?

    private enum CodingKeys: String, CodingKey {
      case kind, shouldDisplay, names, valueName, discussion, defaultValue, allValues
      case abstractIfAny = "abstract"
    }

    var abstract: String { abstractIfAny ?? "" }
    var options: [String] { (names ?? []).map { ($0.kind == "long" ? "--" : "-") + $0.name } }
    var notes: [String] {
      [allValues.map { "values: " + $0.joined(separator: ", ") }, defaultValue.map { "default: " + $0 }]
        .compactMap(\.self)
    }

    /// Returns the options in the heading of an entry.
    static func options(in heading: String) -> [String] {
      heading.split { ", ".contains($0) }.map(String.init).filter { $0.hasPrefix("-") }
    }

    func matches(heading: String) -> Bool {
      guard kind != "positional" else { return heading == "<\(valueName)>" }
      let hasValue = kind != "option" || heading.hasSuffix(" <\(valueName)>")
      return hasValue && Set(options).isSubset(of: Self.options(in: heading))
    }
  }
}
