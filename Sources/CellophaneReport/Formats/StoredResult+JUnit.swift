internal import Cellophane

extension StoredResult {
  /// Returns the assertions and the invariants as a JUnit XML report, which CI services display. An assertion that is
  /// not shown is a failure of the type `not-shown`.
  package func junit() -> String {
    let (checks, seconds) =
      switch self {
      case .run(let result): (result.checks, result.wallSeconds)
      case .study(let result): (result.checks, result.wallSeconds)
      }
    let counts: Markup = "tests=\"\(checks.count)\" failures=\"\(checks.count { $0.failure != nil })\""
    let time = Quantity.decimal(seconds, places: 3)
    let cases = checks.map { $0.markup + "\n" }.joined()
    let text: Markup = """
      <?xml version="1.0" encoding="UTF-8"?>
      <testsuites name="cellophane simulate" \(counts) time="\(time)">
      <testsuite name="cellophane simulate" \(counts) errors="0" skipped="0" time="\(time)">
      \(cases)</testsuite>
      </testsuites>

      """
    return text.text
  }

  /// An assertion, or the invariants of a case.
  fileprivate struct Check {
    let name: String
    /// The case of a study or of a suite; nil without one.
    let group: String?
    let failure: (type: String, message: String)?

    init(_ outcome: AssertionOutcome, in group: String?) {
      name = outcome.expr
      self.group = outcome.subject?.joined(separator: "/") ?? group
      failure = outcome.pass ? nil : (outcome.verdict.rawValue, outcome.sentence)
    }

    init(broken: [String], in group: String?) {
      name = "invariants"
      self.group = group
      failure = broken.isEmpty ? nil : ("broken", broken.joined(separator: "; "))
    }

    var markup: Markup {
      let start: Markup = "<testcase classname=\"\(group ?? "simulate")\" name=\"\(name)\" time=\"0\""
      guard let failure else { return "\(start)/>" }
      return "\(start)><failure type=\"\(failure.type)\" message=\"\(failure.message)\"/></testcase>"
    }
  }
}

extension SimulationResult {
  fileprivate var checks: [StoredResult.Check] {
    assertions.map { .init($0, in: suiteCase) } + [.init(broken: invariants.broken, in: suiteCase)]
  }
}

extension StudyResult {
  fileprivate var checks: [StoredResult.Check] {
    assertions.map { .init($0, in: nil) }
      + cases.map { .init(broken: $0.invariants.brokenWithRepeat, in: Self.name(of: $0)) }
  }
}
