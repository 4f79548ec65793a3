internal import Foundation
internal import Testing

@Suite("Source rules")
struct SourceRulesTests {
  /// The files that need forbidden code, with the reasons.
  private static let allowed: [String: [(word: String, reason: String)]] = [
    "CellophaneCore/Concurrency/Timeline.swift": [
      ("ContinuousClock", "the injected clock"), ("Date.now", "the injected calendar"),
      ("Task(", "the only code that starts tasks"),
    ],
    "CellophaneCore/Concurrency/SerialQueueExecutor.swift": [
      ("DispatchQueue", "the queue is the executor of an actor")
    ],
    "CellophaneImages/Color/LCMSConversion.swift": [
      ("@unchecked Sendable", "lcms2 does not change a transform without a cache")
    ],
    "CellophanePublishers/Publishing/TaskSubscription.swift": [
      ("@unchecked Sendable", "a subscriber gets one signal at a time, on any thread")
    ],
    "Cellophane/Slots/OwnedReference.swift": [
      ("@unchecked Sendable", "a weak reference is read on the actor of its object only")
    ],
    "CellophaneScreens/State/ActionCommit.swift": [
      ("@unchecked Sendable", "an action moves to the actor of its store, which isolates the other state")
    ],
    "CellophanePublishers/Receiving/ElementSource.swift": [
      ("@unchecked Sendable", "a subscription gets demand and cancellation on any thread")
    ],
  ]

  private static func sources(of module: String) throws -> [(file: String, text: String)] {
    let sources = URL(filePath: #filePath).appending(path: "../../../../Sources").standardized
    let names = try FileManager.default.subpathsOfDirectory(atPath: sources.appending(path: module).path())
    // Tutorial code belongs to no target.
    let files = names.filter { $0.hasSuffix(".swift") && !$0.contains(".docc/") }.map { module + "/" + $0 }
      .sorted()
    return try files.map { ($0, try String(contentsOf: sources.appending(path: $0), encoding: .utf8)) }
  }

  @Test(
    "the sources contain no forbidden code",
    arguments: [
      "CacheEviction", "Cellophane", "CellophaneCore", "CellophaneCurl", "CellophaneDisk", "CellophaneHTTP",
      "CellophaneImages", "CellophanePublishers", "CellophaneReport", "CellophaneResults",
      "CellophaneS3", "CellophaneScreens", "CellophaneSimulation",
    ])
  func sources(module: String) throws {
    let sources = try Self.sources(of: module)
    #expect(sources.count > 10)
    for (file, text) in sources {
      let found = SourceRules.violations(in: text)
      let allowed = Self.allowed[file, default: []].map(\.word)
      for (line, word) in found where !allowed.contains(word) {
        Issue.record("Sources/\(file):\(line) contains '\(word)'")
      }
      for word in allowed where !found.contains(where: { $0.word == word }) {
        Issue.record("Sources/\(file) is allowed '\(word)' but does not need it")
      }
    }
    let absent = Self.allowed.keys.filter { $0.hasPrefix(module + "/") }
      .filter { file in !sources.contains { $0.file == file } }
    #expect(absent.isEmpty)
  }

  @Test(
    "every form of an import is found",
    arguments: [
      "import UIKit", "  internal import UIKit // why", "@testable import UIKit", "@_exported import UIKit",
      "public import struct UIKit.Text", "import UIKit.UIView", "import UIKit; import Cellophane",
      "import Cellophane; import UIKit", "import\n  UIKit", "import\r\nUIKit\r\n",
      "import Cellophane\r\nimport UIKit",
      "// a comment\rimport UIKit", "import /* a comment */ UIKit", "/* one /* two */ */ import UIKit",
      "#if canImport(UIKit)\nimport UIKit\n#endif", "let a = #\"\"\"\n \"\"\" import\n\"\"\"#; import UIKit",
      "f(\"\\(\")\")\"); import UIKit", "import `UIKit`",
    ])
  func importFound(source: String) {
    #expect(SourceRules.imports(in: source).contains("UIKit"))
  }

  @Test(
    "other uses of the word import are ignored",
    arguments: [
      "// import UIKit", "/* import UIKit */", "/* /* */ import UIKit */", "/*\nimport UIKit\n*/",
      "f(\"import UIKit\")", "let a = \"\"\"\n  import UIKit\n  \"\"\"", "f(#\"\" import UIKit\"#)",
      "UIKit.run()",
      "#if canImport(UIKit)", "list.import(UIKit)", "`import`(UIKit)", "important(UIKit)",
    ])
  func noImport(source: String) {
    #expect(SourceRules.imports(in: "let a = 1\n" + source).isEmpty)
  }

  @Test(
    "forbidden code is found in any notation",
    arguments: [
      ("Task<Void, Never> {", "Task {"), ("Task<Result<Int, any Error>, Never>(priority: .low) {", "Task("),
      ("Task\n  {", "Task {"), ("Task.\nimmediate {", "Task.immediate"), ("Task /* a comment */ {", "Task {"),
      ("Task<Void, Never>.detached {", "Task.detached"), ("_Concurrency.Task {", "Task {"),
      ("run(Task<() -> Void, Never> {", "Task {"), ("`Task` {", "Task {"), ("\"\\(Date())\"", "Date()"),
      ("#\"\"\\#(Date.now)\"#", "Date.now"),
      ("nonisolated( unsafe )", "nonisolated(unsafe)"),
    ])
  func foundInAnyNotation(source: String, word: String) {
    #expect(SourceRules.violations(in: "\r\n/*\n*/ " + source).contains { $0 == (3, word) })
  }

  @Test(
    "the type of a task is allowed",
    arguments: [
      "var task: Task<Void, Never>?", "func run() -> Task<Void, Never> {", "{ state -> Task<Void, Never>? in",
      "func run() -> _Concurrency.Task<Void, Never> {", "/* Task { */", "/*\n Task {\n*/", "LatestTask {",
      "TaskGroup(", "Timers", "try !isDone()",
    ])
  func typesOfTasks(source: String) {
    #expect(SourceRules.violations(in: source).isEmpty)
  }

  @Test("all forbidden code is found", arguments: SourceRules.forbidden)
  func found(word: String) {
    for line in ["  \(word) x", "let y = \(word)", "f(\"\\\"//\"); \(word)", "other\(word); (\(word)"] {
      #expect(SourceRules.violations(in: "\n" + line).contains { $0 == (2, word) }, "\(line)")
    }
  }

  @Test("comments, strings and longer names are ignored", arguments: SourceRules.forbidden)
  func ignored(word: String) {
    let name = word.hasPrefix("@") || word.hasPrefix("try") ? "" : "add\(word)"
    for line in [
      "// \(word)", "  /// \(word)", "f() // \(word)", "/* \(word) */", "f(\"\\\" \(word)\")", name,
    ] {
      #expect(SourceRules.violations(in: line).isEmpty, "\(line)")
    }
  }
}
