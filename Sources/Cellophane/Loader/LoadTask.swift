internal import Synchronization

/// A running load with its progress, its timings and a priority that can be changed.
///
/// ```swift
/// let task = images.task(for: request)
/// for await progress in task.progress { bar.fraction = progress.fraction ?? 0 }
/// let image = try await task.value.value
/// ```
///
/// The load runs to its end without this object; ``cancel()`` ends it. Other callers that wait for the same value keep
/// their load.
public final class LoadTask<Value: Sendable>: Sendable {
  private let record: LoadRecord<Value>
  private let work: Task<Void, Never>
  private let live: LivePriority

  init(_ record: LoadRecord<Value>, _ live: LivePriority, _ work: Task<Void, Never>) {
    (self.record, self.live, self.work) = (record, live, work)
  }

  /// The loaded value. Waits for the end of the load, also when the caller's task is cancelled.
  ///
  /// - Throws: The errors of ``ResourceLoader/load(_:)``; ``LoadError/cancelled`` after ``cancel()``.
  public var value: Loaded<Value> {
    get async throws(LoadError) {
      await work.value
      guard let result = record.result else { throw .cancelled }
      return try result.get()
    }
  }

  /// The priority of the load. It has an effect until the transfer and the decoding have begun.
  public var priority: Priority {
    get { live.current }
    set { live.change(to: newValue) }
  }

  /// The progress of the transfer, from now on. Several loops may read it.
  public var progress: LoadProgressUpdates { record.progress }

  /// The durations of the load; nil until it ends with a value.
  public var timings: LoadTimings? { record.timings }

  /// Ends the load with ``LoadError/cancelled``.
  public func cancel() { work.cancel() }
}

extension ResourceLoader {
  /// Starts a load and returns at once. See ``load(_:onPreview:)`` for the previews.
  public nonisolated func task(
    for request: Request<Decoder.Options>, onPreview: (@Sendable (Decoder.Value) -> Void)? = nil
  ) -> LoadTask<Decoder.Value> {
    let record = LoadRecord<Value>(timeline)
    let live = LivePriority(request.priority)
    let work = timeline.spawn(priority: request.priority.taskPriority) {
      do throws(LoadError) {
        record.end(
          with: .success(try await self.load(request, live: live, onPreview: onPreview, record: record)))
      } catch {
        record.end(with: .failure(error))
      }
    }
    return LoadTask(record, live, work)
  }
}

/// The durations of a load.
public struct LoadTimings: Hashable, Sendable {
  /// The time from the start of the load to its end.
  public var total: Duration
  /// The requests to the origin, with their time in queues and the steps of the exchange; nil without a request. A load that
  /// joined a running one has those of the latter.
  public var fetch: FetchMetrics?
  /// The time for decoding and processing, without queues; nil if the value was in memory or a result on disk.
  public var decoding: Duration?
}
