/// What is kept and told of a run of Cellophane beside its numbers; of several replicas, of the first.
public struct Attention: Sendable {
  /// Keeps a ``Recording`` in the result.
  public var records = false
  /// Keeps everything that the slots asked for in the result: some 40 bytes a request.
  public var keepsRequests = false
  /// Makes a result of a run that is cancelled: of the replicas that were finished; see ``SimulationResult/incomplete``.
  public var keepsFinished = false
  /// Is told every frame, on the thread of the run, which waits for it.
  public var onFrame: (@Sendable (LiveFrame) -> Void)?
  /// Is told how many replicas are over, each time that one is.
  public var onReplica: (@Sendable (Int) -> Void)?

  /// Nothing.
  public init() {}

  /// What records a run of `scene`; nil when nobody wants to know.
  func recorder(of scene: RecordedScene) -> Recorder? {
    guard records || keepsRequests else { return nil }
    var scene = scene
    if keepsRequests { scene.requestLimit = .max }
    return Recorder(scene)
  }

  /// What tells the frames of a run of `scene`; nil when nobody wants to know.
  func teller(of scene: RecordedScene) -> FrameTeller? { onFrame.map { FrameTeller(scene, $0) } }
}
