extension RunMetrics {
  /// The number of `path`.
  package subscript(path: MetricPath) -> Double? {
    switch path {
    case .metric(let metric): self[metric]
    case .quantile(let metric, let quantile): self[metric][quantile]
    }
  }

  /// Returns whether `path` is a quantile that too few waits reached.
  package func isNever(_ path: MetricPath) -> Bool {
    guard case .quantile(let metric, let quantile) = path else { return false }
    return self[metric].count > 0 && self[metric][quantile] == nil
  }
}
