internal import CellophaneTestOrigin
internal import Dispatch
internal import Testing

@testable internal import CellophaneCurl

/// A row of the fault table: the behavior of an origin and the required result.
struct NetworkFault: Sendable, CustomTestStringConvertible {
  /// The result of a load.
  enum Outcome: Equatable, Sendable {
    case error(LoadError.Kind, isRetryable: Bool)
    case body(String)

    static func error(_ kind: LoadError.Kind) -> Outcome { .error(kind, isRetryable: false) }
    static func retryable(_ kind: LoadError.Kind) -> Outcome { .error(kind, isRetryable: true) }
  }

  /// The time between two loads.
  struct Pause: Sendable {
    /// Signaled after the first load, for the origin's thread.
    let firstLoadEnded = DispatchSemaphore(value: 0)
    /// Settled when the second load may begin.
    let mayContinue = OneShot<Void>()
  }

  /// The certificate of the origin.
  enum Certificate: Sendable { case none, trusted, unknown, forAnotherName, expired, fromNextCentury }

  /// A name that completes "an origin that …".
  let testDescription: String
  /// Returns the steps of the origin on a connection.
  let script: @Sendable (_ connection: Int) -> [RawOrigin.Step]
  /// The result of the last load.
  let outcome: Outcome
  /// The numbers of requests and connections that the origin receives in all loads.
  var requests = 1
  var connections = 1
  /// The number of consecutive loads of the URL.
  var loads = 1
  /// Whether the body is on disk afterwards; nil if the row does not test that.
  var isStored: Bool?
  /// The maximum number of body bytes in memory. 1 KB: most rows send a few words.
  var memory = 1_024
  /// A text that the error message must contain.
  var message = ""
  /// The synchronization between two loads, if the origin acts between them.
  var pause: Pause?
  /// The URL. `HOST` is replaced with the origin's host and port.
  var url = "http://HOST/"
  var limits = NetworkFault.limits
  var configuration = CurlTransport.Configuration()
  var certificate = Certificate.none

  /// Long enough for a busy machine. Rows that test a deadline set a shorter one.
  private static let limits: TransferLimits = {
    var limits = TransferLimits()
    limits.bodyBytes = 1 << 20
    limits.connect = .seconds(20)
    limits.firstByte = .seconds(20)
    limits.total = .seconds(20)
    return limits
  }()

  /// Creates a row with an origin that reads a request and then performs `steps`, on every connection.
  init(_ name: String, _ steps: [RawOrigin.Step], _ outcome: Outcome) {
    testDescription = name
    script = { _ in [.read] + steps }
    self.outcome = outcome
  }

  /// Creates a row with an origin that reads a request, sends `response` and closes.
  init(_ name: String, _ response: String, _ outcome: Outcome) { self.init(name, [.send(response)], outcome) }

  /// Creates a row with a script for each connection.
  init(_ name: String, script: @escaping @Sendable (Int) -> [RawOrigin.Step], _ outcome: Outcome) {
    testDescription = name
    self.script = script
    self.outcome = outcome
  }

  /// Returns a changed copy.
  func with(_ change: (inout NetworkFault) -> Void) -> NetworkFault {
    var copy = self
    change(&copy)
    return copy
  }

  /// Returns a head with status 200 and `fields`, each in the form `Name: value`.
  static func head(_ fields: String...) -> String { head(200, fields) }

  static func head(_ status: Int, _ fields: [String]) -> String {
    (["HTTP/1.1 \(status) Status"] + fields + ["", ""]).joined(separator: "\r\n")
  }
}
