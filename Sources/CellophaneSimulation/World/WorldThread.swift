internal import Cellophane
internal import CellophaneTesting

/// The thread of one world in virtual time. It advances from event to event without a pause, which would
/// block a thread of Swift's pool.
actor WorldThread {
  private nonisolated let executor = SerialQueueExecutor(label: "cellophane.world")

  nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }

  /// Runs until no task is ready or sleeps.
  func run(_ time: VirtualTime) { time.run() }
}
