extension Assertion {
  /// Returns the outcome for each case of `study`. The gap to the oracle is unknown there.
  package func checked(on study: StudyResult) -> [AssertionOutcome] {
    study.cases.map { one in
      guard case .measured(let path) = number, let number = one.metrics[path] else {
        return AssertionOutcome(self, of: nil, interval: nil, subject: one.values)
      }
      return AssertionOutcome(self, of: number.mean, interval: number.interval, subject: one.values)
    }
  }
}
