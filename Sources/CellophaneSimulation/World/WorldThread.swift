internal import Cellophane
internal import CellophaneTesting

/// A thread for one world in virtual time, which runs from event to event without a pause: on Swift's pool it would keep
/// others from their turn.
actor WorldThread {
  private nonisolated let executor = SerialQueueExecutor(label: "cellophane.world")

  nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }

  /// Runs until nothing is ready and nobody sleeps.
  func run(_ time: VirtualTime) { time.run() }
}
