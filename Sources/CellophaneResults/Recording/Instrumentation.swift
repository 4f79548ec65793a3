/// The additional output of a run of Cellophane, besides its metrics. For several replicas it comes from the
/// first.
package struct Instrumentation: Sendable {
  /// True to keep a ``Recording`` in the result.
  package var records = false
  /// True to keep all requests of the slots in the result, about 40 bytes each.
  package var keepsRequests = false
  /// True to return a result of the finished replicas if the run is cancelled; see
  /// ``SimulationResult/incomplete``.
  package var keepsFinished = false
  /// Called with every frame, on the thread of the run. The run continues when it returns.
  package var onFrame: (@Sendable (LiveFrame) -> Void)?
  /// Called after each replica with the number of finished replicas.
  package var onReplica: (@Sendable (Int) -> Void)?

  /// Creates instrumentation without additional output.
  package init() {}

  /// Returns a recorder for a run of `scene`; nil if neither a recording nor the requests are kept.
  package func recorder(of scene: RecordedScene) -> Recorder? {
    guard records || keepsRequests else { return nil }
    var scene = scene
    if keepsRequests { scene.requestLimit = .max }
    return Recorder(scene)
  }

  /// Returns an observer that reports the frames of a run of `scene`; nil if ``onFrame`` is nil.
  package func frameReader(of scene: RecordedScene) -> FrameReader? { onFrame.map { FrameReader(scene, $0) } }
}
