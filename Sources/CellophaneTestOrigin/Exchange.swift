internal import Cellophane
internal import CellophaneNetwork

/// One accepted connection. Used only on the origin's thread.
final class OriginConnection {
  let number: Int
  let socket: Int32
  /// The number of requests received.
  var requests = 0
  /// The congestion window; nil without a limit.
  var window: SendWindow?

  init(number: Int, socket: Int32, window: SendWindow?) {
    self.number = number
    self.socket = socket
    self.window = window
  }
}

/// The answer to one request. Decides the next action, and leaves the syntax of HTTP to the server. Used only on the
/// origin's thread.
final class Exchange {
  /// The action for the head of the response.
  enum Head { case send(OriginResponse), wait, refuse }
  /// The action for the next piece of the body.
  enum Piece { case bytes(Range<Int>), wait, end, fail }

  let target: String
  private(set) var body: [UInt8] = []
  private let link: OriginLink
  private let connection: OriginConnection
  private let held: HeldConnection
  private let start: Duration
  private let sequence: Int
  private var response: OriginResponse?
  private var sent = 0
  private var wasHeld = false
  /// True when the client has closed.
  private var hasClientClosed = false
  private var hasReceivedHead = false
  /// The bytes that the pace permits now, and whether its pause is over.
  private var paced = 0
  private var isPaused = false
  /// The bytes that the link has granted, and the bytes requested from it.
  private var granted = 0
  private var requested = 0
  /// True while only the link delays this exchange.
  private var isContinuous = false

  init(_ target: String, on link: OriginLink, over connection: OriginConnection, _ held: HeldConnection) {
    self.target = target
    self.link = link
    self.connection = connection
    self.held = held
    start = link.pacer.now
    connection.requests += 1
    sequence = link.ledger.write { statistics in
      statistics.begin(target, socket: connection.socket) { HeldConnection.isHungUp($0) }
    }
  }

  /// Returns false the first time, when only the head of the request has arrived.
  func isRequestComplete() -> Bool {
    defer { hasReceivedHead = true }
    return hasReceivedHead
  }

  /// Returns the action for the head. Called when the request is complete, and again after each wait.
  func head(method: String, headSize: Int, headers: () -> HeaderFields) -> Head {
    if wasHeld {
      wasHeld = false
      guard let response, response.ending != .silent, !HeldConnection.isHungUp(connection.socket) else {
        return .refuse
      }
      return .send(response)
    }
    let response = link.handler(
      OriginRequest(
        method: method, target: target, headers: headers(), connection: connection.number, sequence: sequence)
    )
    self.response = response
    body = response.body
    let isFirst = connection.requests == 1
    let due =
      link.responseTime(forRequestOf: headSize, isFirstOnConnection: isFirst) + response.delay
    if response.ending == .silent { return hold(until: nil) ? .wait : .refuse }
    guard due > link.pacer.now else { return .send(response) }
    return hold(until: due) ? .wait : .refuse
  }

  /// Returns the action for the body from `position`, at most `room` bytes. Called again after each wait.
  func piece(at position: Int, room: Int) -> Piece {
    guard let response else { return .fail }
    if wasHeld {
      wasHeld = false
      // Continues nevertheless: libmicrohttpd removes a closed connection by itself, but may leak one whose reader
      // fails.
      hasClientClosed = hasClientClosed || HeldConnection.isHungUp(connection.socket)
    }
    let end: Int
    switch response.ending {
    case .complete, .silent: end = body.count
    case .hung where hasClientClosed: end = body.count
    case .closed(let after), .hung(let after): end = min(max(0, after), body.count)
    }
    guard position < end else {
      switch response.ending {
      case .hung where !hasClientClosed: return hold(until: nil) ? .wait : .fail
      case .complete where response.framing == .chunked: return .end
      default: return .fail
      }
    }
    var size = min(room, end - position)
    if let pace = response.pace {
      guard awaitPace(pace) else { return wasHeld ? .wait : .fail }
      size = min(size, paced)
    }
    let room = connection.window?.room(at: link.pacer.now) ?? size
    guard room > 0 else {
      isContinuous = false
      return hold(until: connection.window?.opening) ? .wait : .fail
    }
    size = min(size, room)
    if let piece = link.pacer.piece {
      guard awaitLink(min(size, piece)) else { return wasHeld ? .wait : .fail }
      size = min(size, granted)
    }
    paced -= min(paced, size)
    granted -= min(granted, size)
    connection.window?.send(size, at: link.pacer.now)
    isContinuous = true
    sent += size
    return .bytes(position..<position + size)
  }

  /// Records the end of the exchange.
  func finish(isComplete: Bool) {
    let entry = OriginLogEntry(
      target: target, connection: connection.number, start: start, end: link.pacer.now, bodyBytes: sent,
      isAborted: !isComplete || hasClientClosed)
    link.ledger.write { $0.end(entry, socket: connection.socket) }
  }

  private func awaitPace(_ pace: OriginResponse.Pace) -> Bool {
    if paced > 0 { return true }
    if isPaused {
      isPaused = false
      paced = pace.bytes
      return true
    }
    isContinuous = false
    isPaused = hold(until: link.pacer.now + pace.interval)
    return false
  }

  private func awaitLink(_ size: Int) -> Bool {
    if granted > 0 { return true }
    if requested > 0 {
      granted = requested
      requested = 0
      return true
    }
    switch link.pacer.send(size, over: held, isContinuous: isContinuous) {
    case .granted:
      granted = size
      return true
    case .held:
      requested = size
      wasHeld = true
      return false
    case .stopped: return false
    }
  }

  private func hold(until due: Duration?) -> Bool {
    wasHeld = link.pacer.hold(held, until: due) == .held
    return wasHeld
  }
}
