/// Works off a list, so many lines at once.
package struct BatchRun: Sendable {
  private let source: ListSource
  private let work: BatchWork
  private let record: @Sendable (BatchResult) -> Bool

  /// - Parameter record: Gets each result as it ends, from many threads; false when nobody wants more.
  package init(_ source: ListSource, _ work: BatchWork, record: @escaping @Sendable (BatchResult) -> Bool) {
    self.source = source
    self.work = work
    self.record = record
  }

  /// Loads until the list ends, the task is cancelled, or nobody wants results. What was under way then is not
  /// reported. There are as many tasks as `jobs`, however many lines.
  package func run(jobs: Int) async {
    await withTaskGroup(of: Bool.self) { group in
      for _ in 0..<jobs {
        group.addTask {
          while !Task.isCancelled, let line = await source.next() {
            if let result = await work.result(of: line), !record(result) { return false }
          }
          return true
        }
      }
      while let isWanted = await group.next() { if !isWanted { group.cancelAll() } }
    }
  }
}
