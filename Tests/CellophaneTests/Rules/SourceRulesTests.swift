internal import Foundation
internal import Testing

@Suite("Rules of the sources")
struct SourceRulesTests {
  /// The places where a forbidden word is needed: file, words, reason.
  private static let allowed: [String: [(word: String, reason: String)]] = [
    "Cellophane/Time/Timeline.swift": [
      ("ContinuousClock", "the clock that is injected"), ("Date.now", "the calendar that is injected"),
      ("Task(", "the one place that starts a task"),
    ],
    "Cellophane/Scheduling/SerialQueueExecutor.swift": [
      ("DispatchQueue", "the queue is the executor of an actor; it decides nothing")
    ],
    "CellophanePublishers/Publishing/TaskSubscription.swift": [
      ("@unchecked Sendable", "a subscriber is told of one thing at a time, on any thread")
    ],
    "CellophanePublishers/Receiving/ElementSource.swift": [
      ("@unchecked Sendable", "a subscription may be asked and cancelled on any thread")
    ],
  ]

  private static func sources(of module: String) throws -> [(file: String, text: String)] {
    let sources = URL(filePath: #filePath).appending(path: "../../../../Sources").standardized
    let names = try FileManager.default.subpathsOfDirectory(atPath: sources.appending(path: module).path())
    let files = names.filter { $0.hasSuffix(".swift") }.map { module + "/" + $0 }.sorted()
    return try files.map { ($0, try String(contentsOf: sources.appending(path: $0), encoding: .utf8)) }
  }

  @Test(
    "Nothing escapes the injected time and tasks",
    arguments: ["Cellophane", "CellophaneScreens", "CellophanePublishers", "CellophaneSimulation"])
  func sources(module: String) throws {
    let sources = try Self.sources(of: module)
    #expect(sources.count > 10)
    for (file, text) in sources {
      let found = SourceRules.violations(in: text)
      let allowed = Self.allowed[file, default: []].map(\.word)
      for (line, word) in found where !allowed.contains(word) {
        Issue.record("Sources/\(file):\(line) holds '\(word)'")
      }
      for word in allowed where !found.contains(where: { $0.word == word }) {
        Issue.record("Sources/\(file) is allowed '\(word)' but does not need it")
      }
    }
    let absent = Self.allowed.keys.filter { $0.hasPrefix(module + "/") }
      .filter { file in !sources.contains { $0.file == file } }
    #expect(absent.isEmpty)
  }

  @Test("What is behind a screen imports nothing that draws one")
  func imports() throws {
    let allowed: [String: Set<String>] = [
      "CellophaneScreens": ["Cellophane", "Observation", "Synchronization"],
      "CellophanePublishers": [
        "Cellophane", "CellophaneScreens", "Combine", "OpenCombine", "Synchronization",
      ],
    ]
    for (module, allowed) in allowed {
      for (file, text) in try Self.sources(of: module) {
        let others = SourceRules.imports(in: text).subtracting(allowed)
        #expect(others.isEmpty, "Sources/\(file)")
      }
    }
  }

  @Test("Every import is found", arguments: ["UIKit", "SwiftUI", "AppKit", "Combine", "OpenCombine"])
  func importFound(module: String) {
    for line in [
      "import \(module)", "  internal import \(module) // why", "@testable import \(module)",
      "public import struct \(module).Text", "import \(module); import Cellophane",
    ] {
      #expect(SourceRules.imports(in: "let a = 1\n" + line).contains(module), "\(line)")
    }
    for line in ["// import \(module)", "f(\"import \(module)\")", "\(module).run()"] {
      #expect(SourceRules.imports(in: line).isEmpty, "\(line)")
    }
  }

  @Test("Every word is found in code", arguments: SourceRules.forbidden)
  func found(word: String) {
    for line in ["  \(word) x", "let y = \(word)", "f(\"\\\"//\"); \(word)", "other\(word); (\(word)"] {
      #expect(SourceRules.violations(in: "\n" + line).contains { $0 == (2, word) }, "\(line)")
    }
  }

  @Test("No word is found in a comment, a string or a longer name", arguments: SourceRules.forbidden)
  func passedOver(word: String) {
    let name = word.hasPrefix("@") || word.hasPrefix("try") ? "" : "add\(word)"
    for line in ["// \(word)", "  /// \(word)", "f() // \(word)", "f(\"\\\" \(word)\")", name] {
      #expect(SourceRules.violations(in: line).isEmpty, "\(line)")
    }
  }
}
