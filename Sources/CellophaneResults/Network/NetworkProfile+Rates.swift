package import CellophaneNetwork

extension NetworkProfile {
  /// Returns the rate over time; nil for a constant rate. Runs with the same seed have the same rates.
  ///
  /// A trace begins at a time that is drawn from the seed, so that the replicas of a run cover it.
  package func rates(seed: UInt64) -> RateSchedule? {
    guard let downBitsPerSecond else { return nil }
    switch variation {
    case .trace(_, let schedule?):
      let start = SeededDraw(seed: seed).bits("trace", 0) % UInt64(schedule.period)
      return schedule.scaled(toMean: Int64(downBitsPerSecond)).starting(at: Int64(start))
    case .model(let model): return model.schedule(mean: downBitsPerSecond, seed: seed)
    case .trace(_, nil), nil: return nil
    }
  }
}
