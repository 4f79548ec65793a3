internal import CellophaneNetwork

/// The radio of a client. It disconnects after it was idle, and an exchange then waits until it is connected again. Pure:
/// the time, in ns, is a parameter.
struct Radio {
  /// The time that a connection takes.
  private let delay: Int64
  /// The time without exchanges after which the radio disconnects.
  private let idleTime: Int64
  private var exchanges = 0
  private var idleSince: Int64 = 0
  /// The time from which the radio is connected.
  private var connected: Int64 = 0

  /// Creates a radio that is connected at time 0, because other data of the list has just been loaded; nil for one that is
  /// always connected.
  init(_ wakeUp: RadioWakeUp?) {
    delay = wakeUp?.delay.wholeNanoseconds ?? 0
    idleTime = wakeUp?.idleTime.wholeNanoseconds ?? .max
  }

  /// Begins an exchange. Returns the time from which it can send.
  mutating func begin(at now: Int64) -> Int64 {
    if exchanges == 0, now - idleSince > idleTime { connected = now + delay }
    exchanges += 1
    return max(now, connected)
  }

  /// Ends an exchange.
  mutating func end(at now: Int64) {
    exchanges -= 1
    idleSince = max(now, connected)
  }
}
