/// The additional output of the runs of Cellophane and of the naive loader, besides their metrics. For several replicas
/// it comes from the first.
package struct Instrumentation: Sendable {
  /// The loader under test, whose runs have the output that is described here for Cellophane.
  package var subject = LoaderUnderTest.cellophane
  /// True to keep a ``Recording`` of each of both loaders in the result.
  package var records = false
  /// True to keep all requests of Cellophane's slots in the result, about 40 bytes each.
  package var keepsRequests = false
  /// True to keep the run of the loader under test as a trace.
  package var keepsTrace = false
  /// True to return a result of the finished replicas if the run is cancelled; see
  /// ``SimulationResult/incomplete``.
  package var keepsFinished = false
  /// Called with every frame of Cellophane, on the thread of the run. The run continues when it returns.
  package var onFrame: (@Sendable (LiveFrame) -> Void)?
  /// Called with every frame of the naive loader, on the thread of its run.
  package var onNaiveFrame: (@Sendable (LiveFrame) -> Void)?
  /// Called after each replica with the number of finished replicas.
  package var onReplica: (@Sendable (Int) -> Void)?

  /// Creates instrumentation without additional output.
  package init() {}

  /// Returns whether runs with `loader` have additional output.
  package func observes(_ loader: LoaderUnderTest) -> Bool {
    switch loader {
    case subject: records || keepsRequests || keepsTrace || onFrame != nil
    case .naive: records || onNaiveFrame != nil
    default: false
    }
  }

  /// Returns a recorder for a run of `scene` with `loader`; nil if neither its recording nor its requests are kept.
  package func recorder(of loader: LoaderUnderTest, _ scene: RecordedScene) -> Recorder? {
    var scene = scene
    switch loader {
    case subject:
      guard records || keepsRequests else { return nil }
      if keepsRequests { scene.requestLimit = .max }
    case .naive:
      guard records else { return nil }
      // The requests are those of Cellophane, and the recording of Cellophane has their caches.
      scene.requestLimit = 0
    default: return nil
    }
    return Recorder(scene)
  }

  /// Returns a writer of the trace of a run of `scene` with `loader`; nil if it is not kept.
  package func traceWriter(of loader: LoaderUnderTest, _ scene: RecordedScene) -> RunTraceWriter? {
    loader == subject && keepsTrace ? RunTraceWriter(scene) : nil
  }

  /// Returns an observer that reports the frames of a run of `scene` with `loader`; nil if they are not wanted.
  package func frameReader(of loader: LoaderUnderTest, _ scene: RecordedScene) -> FrameReader? {
    let report =
      switch loader {
      case subject: onFrame
      case .naive: onNaiveFrame
      default: (@Sendable (LiveFrame) -> Void)?.none
      }
    return report.map { FrameReader(scene, $0) }
  }
}
