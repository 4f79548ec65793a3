internal import CellophaneTestOrigin
internal import Dispatch
internal import Testing

@testable internal import Cellophane

/// One line of the table: what an origin does, and what must come of it.
struct NetworkFault: Sendable, CustomTestStringConvertible {
  /// What a load gives.
  enum Outcome: Equatable, Sendable {
    case error(LoadError.Kind, isRetryable: Bool)
    case body(String)

    static func error(_ kind: LoadError.Kind) -> Outcome { .error(kind, isRetryable: false) }
    static func retryable(_ kind: LoadError.Kind) -> Outcome { .error(kind, isRetryable: true) }
  }

  /// The time between two loads.
  struct Pause: Sendable {
    /// The first load is over, for the origin's thread.
    let isTaken = DispatchSemaphore(value: 0)
    /// The second may begin.
    let isOver = OneShot<Void>()
  }

  /// What the origin proves itself with.
  enum Certificate: Sendable { case none, trusted, unknown, forAnotherName, expired, fromNextCentury }

  /// What the origin does, in words.
  let testDescription: String
  /// What it does, on each connection.
  let script: @Sendable (_ connection: Int) -> [RawOrigin.Step]
  /// What the last load gives.
  let outcome: Outcome
  /// The requests and connections that the origin sees, of all loads.
  var requests = 1
  var connections = 1
  /// How often the URL is loaded, one after the other.
  var loads = 1
  /// Whether the body is on disk afterwards; nil where the line is not about that.
  var isKept: Bool?
  /// The most that is held of a body, in bytes. 1 KB: what most lines send is a few words.
  var memory = 1_024
  /// What the error must say.
  var says = ""
  /// What the origin does between two loads.
  var pause: Pause?
  /// The URL; `HOST` stands for the origin's host and port.
  var url = "http://HOST/"
  var limits = NetworkFault.limits
  var configuration = CurlTransport.Configuration()
  var certificate = Certificate.none

  /// Long enough for a busy machine: what ends by a deadline has a shorter one of its own.
  private static let limits: TransferLimits = {
    var limits = TransferLimits()
    limits.bodyBytes = 1 << 20
    limits.connect = .seconds(20)
    limits.firstByte = .seconds(20)
    limits.total = .seconds(20)
    return limits
  }()

  /// An origin that reads a request and then takes `steps`, on every connection.
  init(_ name: String, _ steps: [RawOrigin.Step], _ outcome: Outcome) {
    testDescription = name
    script = { _ in [.read] + steps }
    self.outcome = outcome
  }

  /// An origin that reads a request and answers with `answer`, then closes.
  init(_ name: String, _ answer: String, _ outcome: Outcome) { self.init(name, [.send(answer)], outcome) }

  /// An origin with a script of its own.
  init(_ name: String, script: @escaping @Sendable (Int) -> [RawOrigin.Step], _ outcome: Outcome) {
    testDescription = name
    self.script = script
    self.outcome = outcome
  }

  /// The same with something changed.
  func with(_ change: (inout NetworkFault) -> Void) -> NetworkFault {
    var copy = self
    change(&copy)
    return copy
  }

  /// A head of a 200 with `fields`, each `Name: value`.
  static func head(_ fields: String...) -> String { head(200, fields) }

  static func head(_ status: Int, _ fields: [String]) -> String {
    (["HTTP/1.1 \(status) Status"] + fields + ["", ""]).joined(separator: "\r\n")
  }
}
