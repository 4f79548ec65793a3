/// A serial queue for blocking file operations.
actor BlockingQueue {
  private nonisolated let executor: any SerialExecutor

  nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }

  init(_ executor: any SerialExecutor) { self.executor = executor }

  func run<R: Sendable, E: Error>(_ body: @Sendable () throws(E) -> R) throws(E) -> R {
    try body()
  }
}
