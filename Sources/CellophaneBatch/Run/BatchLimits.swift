/// The limits of a run.
package struct BatchLimits: Sendable {
  /// The maximum number of concurrent records of one host, which ``AIMDLimit`` may lower. Nil for the number of jobs.
  package var perHost: Int?
  /// The maximum number of requests of a record. Nil for the built-in numbers.
  package var tries: Int?
  /// The maximum number of records of one host that start per second; nil for none.
  package var rate: Double?
  /// The maximum number of bytes that the run loads per second, on average; nil for none.
  package var bytesPerSecond: Double?
  /// The time after which the run ends; nil for none. Records that are not finished then have no result.
  package var time: Duration?

  package init(perHost: Int? = nil) { self.perHost = perHost }
}
