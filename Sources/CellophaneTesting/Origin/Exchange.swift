internal import Cellophane

/// One accepted connection. Lives on the origin's thread.
final class OriginConnection {
  let number: Int
  let socket: Int32
  /// Requests received over it.
  var requests = 0
  /// What it may send; nil without limit.
  var window: SendWindow?

  init(number: Int, socket: Int32, window: SendWindow?) {
    self.number = number
    self.socket = socket
    self.window = window
  }
}

/// One request being answered: what to do next, and nothing of how HTTP writes it. Lives on the origin's
/// thread.
final class Exchange {
  /// What to do about the head of the answer.
  enum Head { case send(OriginResponse), wait, refuse }
  /// What to do about the next piece of the body.
  enum Piece { case bytes(Range<Int>), wait, end, fail }

  let target: String
  private(set) var body: [UInt8] = []
  private let line: OriginLine
  private let connection: OriginConnection
  private let held: HeldConnection
  private let start: Duration
  private let sequence: Int
  private var response: OriginResponse?
  private var sent = 0
  private var wasHeld = false
  /// True once the client was seen to have gone.
  private var isLeft = false
  private var isAnnounced = false
  /// Bytes that the pace lets go now, and whether its pause is over.
  private var paced = 0
  private var isPaused = false
  /// Bytes that the line lets go now, and those it was asked for.
  private var granted = 0
  private var asked = 0
  /// True while nothing but the line holds it back.
  private var isGoingOn = false

  init(_ target: String, on line: OriginLine, over connection: OriginConnection, _ held: HeldConnection) {
    self.target = target
    self.line = line
    self.connection = connection
    self.held = held
    start = line.pacer.now
    connection.requests += 1
    sequence = line.ledger.write { books in
      books.begin(target, socket: connection.socket) { HeldConnection.isHungUp($0) }
    }
  }

  /// False the first time, when only the request's head has arrived.
  func isWhole() -> Bool {
    defer { isAnnounced = true }
    return isAnnounced
  }

  /// Called when the request is whole, and again after each wait.
  func head(method: String, headSize: Int, headers: () -> HeaderFields) -> Head {
    if wasHeld {
      wasHeld = false
      guard let response, response.course != .silent, !HeldConnection.isHungUp(connection.socket) else {
        return .refuse
      }
      return .send(response)
    }
    let response = line.handler(
      OriginRequest(
        method: method, target: target, headers: headers(), connection: connection.number, sequence: sequence)
    )
    self.response = response
    body = response.body
    let isFirst = connection.requests == 1
    let due =
      line.answerTime(forRequestOf: headSize, isFirstOnConnection: isFirst) + response.delay
    if response.course == .silent { return hold(until: nil) ? .wait : .refuse }
    guard due > line.pacer.now else { return .send(response) }
    return hold(until: due) ? .wait : .refuse
  }

  /// Called for the body from `position`, at most `room` bytes, and again after each wait.
  func piece(at position: Int, room: Int) -> Piece {
    guard let response else { return .fail }
    if wasHeld {
      wasHeld = false
      // Goes on nevertheless: libmicrohttpd cleans up what it finds closed by itself, but may leave a
      // connection behind that a reader gives up on.
      isLeft = isLeft || HeldConnection.isHungUp(connection.socket)
    }
    let end: Int
    switch response.course {
    case .whole, .silent: end = body.count
    case .hung where isLeft: end = body.count
    case .closed(let after), .hung(let after): end = min(max(0, after), body.count)
    }
    guard position < end else {
      switch response.course {
      case .hung where !isLeft: return hold(until: nil) ? .wait : .fail
      case .whole where response.framing == .chunked: return .end
      default: return .fail
      }
    }
    var size = min(room, end - position)
    if let pace = response.pace {
      guard awaitPace(pace) else { return wasHeld ? .wait : .fail }
      size = min(size, paced)
    }
    let room = connection.window?.room(at: line.pacer.now) ?? size
    guard room > 0 else {
      isGoingOn = false
      return hold(until: connection.window?.opening) ? .wait : .fail
    }
    size = min(size, room)
    if let piece = line.pacer.piece {
      guard awaitLine(min(size, piece)) else { return wasHeld ? .wait : .fail }
      size = min(size, granted)
    }
    paced -= min(paced, size)
    granted -= min(granted, size)
    connection.window?.send(size, at: line.pacer.now)
    isGoingOn = true
    sent += size
    return .bytes(position..<position + size)
  }

  /// Books the end.
  func finish(isWhole: Bool) {
    let entry = OriginLogEntry(
      target: target, connection: connection.number, start: start, end: line.pacer.now, bodyBytes: sent,
      isAborted: !isWhole || isLeft)
    line.ledger.write { $0.end(entry, socket: connection.socket) }
  }

  private func awaitPace(_ pace: OriginResponse.Pace) -> Bool {
    if paced > 0 { return true }
    if isPaused {
      isPaused = false
      paced = pace.bytes
      return true
    }
    isGoingOn = false
    isPaused = hold(until: line.pacer.now + pace.interval)
    return false
  }

  private func awaitLine(_ size: Int) -> Bool {
    if granted > 0 { return true }
    if asked > 0 {
      granted = asked
      asked = 0
      return true
    }
    switch line.pacer.send(size, over: held, isGoingOn: isGoingOn) {
    case .granted:
      granted = size
      return true
    case .held:
      asked = size
      wasHeld = true
      return false
    case .stopped: return false
    }
  }

  private func hold(until due: Duration?) -> Bool {
    wasHeld = line.pacer.hold(held, until: due) == .held
    return wasHeld
  }
}
