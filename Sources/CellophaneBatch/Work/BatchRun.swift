/// Works off a list, so many lines at once.
package struct BatchRun: Sendable {
  /// Gets each result as it ends, from many threads; false when nobody wants more.
  package typealias Record = @Sendable (BatchResult) -> Bool

  /// What one of the jobs came to.
  private struct Share {
    var isWanted = true
    /// Lines of other shards.
    var elsewhere = 0
  }

  private let source: ListSource
  private let work: BatchWork
  private let record: Record
  private let ordered: OrderedResults?

  /// - Parameter isOrdered: Hands results on in the order of the list; see ``ResultOrder`` for how far lines may then
  ///   get ahead of one another.
  package init(
    _ source: ListSource, _ work: BatchWork, isOrdered: Bool = false, record: @escaping Record
  ) {
    self.source = source
    self.work = work
    self.record = record
    ordered = isOrdered ? OrderedResults(record: record) : nil
  }

  /// Loads until the list ends, the task is cancelled, or nobody wants results; returns how many lines belonged to other
  /// shards. What was under way when it is cancelled is not reported. There are as many tasks as `jobs`, however many
  /// lines.
  package func run(jobs: Int) async -> Int {
    let elsewhere = await withTaskGroup(of: Share.self) { group in
      for _ in 0..<jobs { group.addTask { await workOff() } }
      var elsewhere = 0
      while let share = await group.next() {
        elsewhere += share.elsewhere
        if !share.isWanted { group.cancelAll() }
      }
      return elsewhere
    }
    ordered?.finish()
    return elsewhere
  }

  private func workOff() async -> Share {
    var share = Share()
    while share.isWanted, !Task.isCancelled, let line = await source.next() {
      await ordered?.turn(of: line.position)
      if Task.isCancelled { break }
      switch await work.ending(of: line) {
      case .result(let result):
        share.isWanted = ordered?.take(result, at: line.position) ?? record(result)
      case .elsewhere:
        share.elsewhere += 1
        if let ordered { share.isWanted = ordered.take(nil, at: line.position) }
      case .cancelled: break
      }
    }
    return share
  }
}
