/// The states of the slots, transfers and decodings of a trace, which decide whether the next event is possible.
struct RunTraceStates {
  private enum Transfer {
    case running(bytes: Int)
    case cancelled(bytes: Int)
  }

  /// The number of rows of the list.
  let rows: Int
  private var bound: Set<Int> = []
  private var transfers: [Int: Transfer] = [:]
  private var usedTransfers: Set<Int> = []
  private var decodings: Set<Int> = []
  private var usedDecodings: Set<Int> = []
  private var hasEnded = false
  /// The vsync after the last drawn frame.
  private var nextVsync = 0

  init(rows: Int) { self.rows = rows }

  /// Checks `event`, and updates the states.
  ///
  /// - Parameters:
  ///   - last: The time of the event before.
  ///   - latest: The latest time of an event.
  mutating func check(_ event: RunTraceEvent, after last: Duration, within latest: Duration)
    throws(TraceFault)
  {
    guard !hasEnded else { throw TraceFault("an event after the end of the run") }
    guard event.time >= last else {
      throw TraceFault(
        "\(event.time.milliseconds) ms is before the event on the line above, \(last.milliseconds) ms")
    }
    guard event.time <= latest else {
      throw TraceFault("\(event.time.milliseconds) ms is after the end of the run, \(latest.milliseconds) ms")
    }
    if let row = event.row, !(0..<rows).contains(row) {
      throw TraceFault("unknown row \(row); the list has \(rows) rows, from 0")
    }
    switch event.kind {
    case .bind, .keep: bound.insert(event.slot ?? 0)
    case .wait, .show, .preview, .fail, .clear:
      guard let slot = event.slot, bound.contains(slot) else {
        throw TraceFault(
          "\(event.kind.rawValue) of slot \(event.slot ?? 0), which no bind has bound to a row")
      }
    case .start, .progress, .finish, .cancel, .error, .close: try checkTransfer(event)
    case .decode:
      guard let number = event.number, usedDecodings.insert(number).inserted else {
        throw TraceFault("decoding \(event.number ?? 0) starts twice; give each its own number")
      }
      decodings.insert(number)
    case .decoded:
      guard let number = event.number, decodings.remove(number) != nil else {
        throw TraceFault("decoding \(event.number ?? 0) does not run")
      }
    case .draw:
      let vsync = (event.vsync ?? 0) + (event.late ?? 0)
      guard vsync >= nextVsync else {
        throw TraceFault("the frame of vsync \(vsync) is not after the one before it, \(nextVsync - 1)")
      }
      nextVsync = vsync + 1
    case .end: hasEnded = true
    }
  }

  private mutating func checkTransfer(_ event: RunTraceEvent) throws(TraceFault) {
    let (number, bytes) = (event.number ?? 0, event.bytes ?? 0)
    if event.kind == .start {
      guard usedTransfers.insert(number).inserted else {
        throw TraceFault("transfer \(number) starts twice; give each its own number")
      }
      transfers[number] = .running(bytes: 0)
      return
    }
    let before: Int
    switch (transfers[number], event.kind) {
    case (.running(let count)?, .progress), (.running(let count)?, .finish), (.running(let count)?, .cancel),
      (.running(let count)?, .error), (.cancelled(let count)?, .close), (.cancelled(let count)?, .progress):
      before = count
    default: throw TraceFault("\(event.kind.rawValue) of transfer \(number), which does not run")
    }
    guard bytes >= before else {
      throw TraceFault("transfer \(number) has fewer bytes than before, \(bytes) after \(before)")
    }
    switch (transfers[number], event.kind) {
    case (.cancelled?, .progress), (_, .cancel): transfers[number] = .cancelled(bytes: bytes)
    case (_, .progress): transfers[number] = .running(bytes: bytes)
    default: transfers[number] = nil
    }
  }
}
