#if Publishers
  internal import Cellophane

  /// Concurrent operations for the values of a publisher.
  struct Mapping<Input: Sendable, Output: Sendable, Failure: Error> {
    private enum Step {
      case input(Result<Input?, Failure>)
      /// The result of an operation; nil if a newer value cancelled it.
      case output(number: Int, Result<Output, Failure>?)
      case demand(Bool)
    }

    /// The maximum number of concurrent operations. Nil: one, which the next value cancels.
    let limit: Int?
    let timeline: Timeline
    let priority: TaskPriority?
    let transform: @Sendable (Input) async throws(Failure) -> Output

    init(
      limit: Int?, timeline: Timeline, priority: TaskPriority?,
      _ transform: @escaping @Sendable (Input) async throws(Failure) -> Output
    ) {
      self.limit = limit
      self.timeline = timeline
      self.priority = priority
      self.transform = transform
    }

    /// Runs operations for the values of `source` until it ends, and sends results to `subscription` on demand.
    func run(
      from source: ElementSource<Input, Failure>, to subscription: TaskSubscription<Output, Failure>
    ) async -> Result<Void, Failure> {
      await withTaskGroup(of: Step.self) { group in
        var operations = Operations(limit: limit)
        while true {
          if operations.takesInput() {
            group.addTask { .input(await result { () async throws(Failure) in try await source.next() }) }
          }
          if operations.takesDemand() { group.addTask { .demand(await subscription.hasDemand()) } }
          guard !operations.isOver, let step = await group.next() else { break }
          switch step {
          case .input(.success(let value?)):
            let operation = begin(value)
            let number = operations.begin(operation)
            group.addTask { .output(number: number, await operation.result()) }
          case .input(.success(nil)): operations.endInput()
          case .input(.failure(let error)):
            group.cancelAll()
            return .failure(error)
          case .output(let number, let result):
            // A cancelled operation has no result.
            guard operations.end(number), let result else { continue }
            switch result {
            case .success(let value): operations.keep(value)
            case .failure(let error):
              group.cancelAll()
              return .failure(error)
            }
          case .demand(true): if let value = operations.takeResult() { subscription.send(value) }
          case .demand(false):
            group.cancelAll()
            return .success(())
          }
        }
        group.cancelAll()
        return .success(())
      }
    }

    private func begin(_ value: Input) -> Operation {
      let outcome = OneShot<Result<Output, Failure>?>()
      let task = timeline.spawn(priority: priority) { [transform] in
        outcome.settle(await result { () async throws(Failure) in try await transform(value) })
      }
      return Operation(outcome: outcome, task: task)
    }

    /// A running operation.
    fileprivate struct Operation: Sendable {
      let outcome: OneShot<Result<Output, Failure>?>
      let task: Task<Void, Never>

      /// Returns the result; nil if the operation was cancelled.
      func result() async -> Result<Output, Failure>? {
        await withTaskCancellationHandler {
          await outcome.value
        } onCancel: {
          cancel()
        }
      }

      func cancel() {
        outcome.settle(nil)
        task.cancel()
      }
    }

    /// The running operations and their unsent results.
    private struct Operations {
      let limit: Int?
      private var begun = 0
      private var running: [Int: Operation] = [:]
      private var results: [Output] = []
      private var isTakingInput = false
      private var isTakingDemand = false
      private var hasEnded = false

      init(limit: Int?) { self.limit = limit }

      /// True if the source has ended and all results are sent.
      var isOver: Bool { hasEnded && running.isEmpty && results.isEmpty }

      /// Returns true if the next value must be requested, and marks it as requested.
      mutating func takesInput() -> Bool {
        guard !hasEnded, !isTakingInput else { return false }
        if let limit, running.count + results.count >= limit { return false }
        isTakingInput = true
        return true
      }

      /// Returns true if the caller must wait for demand, and marks that as begun.
      mutating func takesDemand() -> Bool {
        guard !results.isEmpty, !isTakingDemand else { return false }
        isTakingDemand = true
        return true
      }

      mutating func begin(_ operation: Operation) -> Int {
        isTakingInput = false
        if limit == nil {
          // There is at most one.
          for overtaken in running.values { overtaken.cancel() }
          running = [:]
        }
        begun += 1
        running[begun] = operation
        return begun
      }

      mutating func endInput() { (isTakingInput, hasEnded) = (false, true) }

      /// Removes a finished operation. Returns false if a newer value had cancelled it.
      mutating func end(_ number: Int) -> Bool { running.removeValue(forKey: number) != nil }

      mutating func keep(_ result: Output) {
        if limit == nil { results = [] }
        results.append(result)
      }

      mutating func takeResult() -> Output? {
        isTakingDemand = false
        return results.isEmpty ? nil : results.removeFirst()
      }
    }
  }

  private func result<Value, Failure: Error>(
    of body: () async throws(Failure) -> Value
  ) async -> Result<Value, Failure> {
    do throws(Failure) { return .success(try await body()) } catch { return .failure(error) }
  }
#endif
