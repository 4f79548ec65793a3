internal import Cellophane
internal import CellophaneS3
internal import CellophaneTesting
internal import Synchronization
internal import TestSupport
internal import Testing

/// A store and its client in virtual time.
struct S3World: Sendable {
  let time = VirtualTime()
  let store: MemoryS3Store
  let client: S3Client
  var timeline: Timeline { client.timeline }

  init(
    pageLength: Int = 1_000, random: Double = 0.5,
    fault: @escaping @Sendable (_ number: Int, S3Request) -> MemoryS3Store.Fault? = { _, _ in nil }
  ) throws {
    store = MemoryS3Store(timeline: time.timeline(), pageLength: pageLength, fault: fault)
    client = S3Client(
      try S3Location("s3://bucket/p"), over: store, timeline: time.timeline(), random: { random })
  }

  /// Runs `operation` to its end and returns its result.
  func run<Value: Sendable>(
    _ operation: @escaping @Sendable () async throws(S3Error) -> Value
  ) throws -> Result<Value, S3Error> {
    try #require(
      time.run { () async -> Result<Value, S3Error> in
        do throws(S3Error) { return .success(try await operation()) } catch { return .failure(error) }
      }, "the operation waits for an event that never happens")
  }
}
