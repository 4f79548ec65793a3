/// The memory for the decodings of one loader: a budget that it shares with other loaders, or none if its gate has a
/// separate one.
///
/// The gate of the loader limits the same weights first. So the budget only delays work when other loaders decode, and
/// one loader alone decodes in the order of its gate. Among loaders, the order is that of ``GateQueue``: no work overtakes
/// heavier work of the same priority forever.
struct DecodingMemory: Sendable {
  /// The budget of this process.
  static let ofProcess = DecodingMemory(bytes: DecodingLimits.sharedBytes)
  /// No shared budget.
  static let separate = DecodingMemory(bytes: .max, budget: nil)

  /// The size of the budget.
  let bytes: Int
  private let budget: Gate?

  /// Creates a budget of `bytes`.
  init(bytes: Int) {
    self.init(
      bytes: bytes, budget: Gate(limits: .init(total: .max, perOrigin: .max, reserved: 0, weight: bytes)))
  }

  private init(bytes: Int, budget: Gate?) { (self.bytes, self.budget) = (bytes, budget) }

  /// Runs `body` when `weight` bytes are free.
  func run<Value>(
    priority: LivePriority, weight: Int, _ body: () async throws(LoadError) -> Value
  ) async throws(LoadError) -> Value {
    guard let budget, weight > 0 else { return try await body() }
    return try await budget.run(for: nil, priority: priority, weight: weight, body)
  }

  /// Reserves `weight` in `gate` and in the budget; nil when it is not free now. See ``Gate/reserve(_:onRevoke:)``.
  func reserve(_ weight: Int, in gate: Gate, onRevoke: @escaping @Sendable () -> Void) -> Reservation? {
    guard let own = gate.reserve(weight, onRevoke: onRevoke) else { return nil }
    guard let budget else { return Reservation(own: own, shared: nil) }
    guard let shared = budget.reserve(weight, onRevoke: onRevoke) else {
      gate.release(own)
      return nil
    }
    return Reservation(own: own, shared: shared)
  }

  /// Releases a reservation. Call it once.
  func release(_ reservation: Reservation, in gate: Gate) {
    if let shared = reservation.shared { budget?.release(shared) }
    gate.release(reservation.own)
  }

  /// Weight that is reserved in the gate of a loader and in the budget.
  struct Reservation {
    fileprivate let own: Gate.Reservation
    fileprivate let shared: Gate.Reservation?
  }
}
