extension Assertion {
  /// Returns the outcome for the difference of two results: the second minus the first.
  package func checked(on comparison: ResultComparison) -> AssertionOutcome {
    guard case .measured(let path) = number, let difference = comparison.rows[path]?.difference else {
      return AssertionOutcome(self, of: nil, interval: nil)
    }
    return AssertionOutcome(self, of: difference.mean, interval: difference.interval)
  }
}
