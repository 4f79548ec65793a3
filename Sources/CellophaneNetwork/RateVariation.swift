/// The way in which the rate of a network varies over time.
package enum RateVariation: Hashable, Sendable {
  /// The recorded rates of a file, or of a scenario if there is no name; no rates before the file is read.
  case trace(file: String?, RateSchedule?)
  /// The rates of a model, drawn from the seed of a run.
  case model(RateModel)
}
