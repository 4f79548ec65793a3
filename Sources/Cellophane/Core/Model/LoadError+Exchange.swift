extension LoadError {
  /// What is known of an exchange that failed.
  public struct Exchange: Hashable, Sendable {
    /// How far it had come.
    public var stage: Stage
    /// What it spent its time on, the step at which it failed and the redirects before it included.
    public var timings: TransferTimings
    /// The status code of its answer; nil when none had begun.
    public var status: Int?
    /// What its answer said of its body.
    public var contentType: String?
  }

  /// A step of an exchange.
  public enum Stage: String, Sendable, CaseIterable {
    /// The host's name has to get an address.
    case dns
    /// The host has to accept a connection.
    case connect
    /// Both sides have to agree on encryption.
    case tls
    /// The request has to be sent, and the head of the answer to come.
    case http
    /// The answer has to come to its end.
    case body
  }
}
