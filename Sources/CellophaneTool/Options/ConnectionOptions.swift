internal import ArgumentParser
internal import Cellophane
internal import CellophaneResults

/// The requests and connections of commands that load from URLs, and their limits.
struct ConnectionOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Limit the time of a load with all its attempts; also 500ms, 10s or 2m.", valueName: "seconds"))
  var timeout = TimeAmount(.seconds(60))

  @Option(
    help: ArgumentHelp("Limit the size of a body after content decoding, such as 5MB.", valueName: "bytes"))
  var maxBytes = ByteCount.bodyLimit

  @Option(
    name: [.customShort("H"), .customLong("header")], parsing: .unconditionalSingleValue,
    help: ArgumentHelp("Add a request header. Repeatable.", valueName: "name: value"))
  var headers: [String] = []

  @Option(
    name: [.customShort("A"), .long],
    help: ArgumentHelp(
      "Set the User-Agent header, unless -H does. (default: cellophane/VERSION)", valueName: "text"))
  var userAgent: String?

  @Option(
    name: [.customShort("x"), .long],
    help: ArgumentHelp(
      """
      Use this proxy, [scheme://][user:password@]host[:port]; '' means no proxy. Schemes: http, https, socks5 \
      and socks5h. With socks5h, the proxy resolves the host names. (default: http_proxy, https_proxy, all_proxy and \
      no_proxy)
      """, valueName: "url"))
  var proxy: String?

  @Option(
    help: ArgumentHelp(
      """
      Trust the certificates in this PEM file instead of the system's. Responses are cached separately for each file.
      """, valueName: "file"),
    completion: .file())
  var cacert: String?

  @Flag(name: .customLong("allow-private"), help: "Allow private and loopback addresses. (default)")
  var allowsPrivate = false

  @Flag(name: .customLong("deny-private"), help: "Refuse private, loopback and link-local addresses.")
  var deniesPrivate = false

  @Flag(name: .customLong("allow-downgrade"), help: "Follow redirects from https to http.")
  var allowsDowngrade = false

  @Flag(name: .customLong("allow-files"), help: "Allow file: URLs.")
  var allowsFiles = false

  func validate() throws {
    if allowsPrivate && deniesPrivate {
      throw ValidationError("--allow-private and --deny-private are mutually exclusive; leave one out")
    }
    do throws(LoadError) {
      if let proxy = try explicitProxy(), proxy != .direct, deniesPrivate {
        throw LoadError(
          .invalidRequest,
          "--proxy and --deny-private are mutually exclusive: the addresses behind a proxy are not known; leave one out"
        )
      }
    } catch {
      throw ValidationError(error.message)
    }
    guard timeout.duration > .zero, timeout.duration <= .seconds(86_400) else {
      throw ValidationError("--timeout must be more than 0 and at most 86400 s")
    }
    guard maxBytes.bytes > 0 else { throw ValidationError("--max-bytes must be more than 0") }
    let agentField: HeaderFields = ["user-agent": agent]
    if let defect = agentField.requestDefect { throw ValidationError(defect) }
    _ = try requestHeaders()
  }

  /// Returns the request headers of `-H`.
  ///
  /// - Throws: `ValidationError` for a header without a name.
  func requestHeaders() throws -> HeaderFields {
    var fields = HeaderFields()
    for (index, header) in headers.enumerated() {
      // The error does not repeat the header, which may be a secret.
      guard let colon = header.firstIndex(of: ":"), colon != header.startIndex else {
        throw ValidationError(
          "the value of -H number \(index + 1) is not a header; write it as 'Name: value'")
      }
      let value = header[header.index(after: colon)...].drop { $0 == " " || $0 == "\t" }
      // The bytes as typed, also where they are not UTF-8.
      fields.append(String(header[..<colon]), String(fieldBytes: Array(value.utf8).span))
    }
    return fields
  }

  /// Returns the proxy of `--proxy`; nil for that of the environment. Errors do not repeat the text, which may contain a
  /// password.
  func explicitProxy() throws(LoadError) -> Proxy? {
    guard let proxy else { return nil }
    return try Proxy(proxy)
  }

  /// The value of `User-Agent`, with the bytes as typed.
  var agent: String {
    guard let userAgent else { return "cellophane/" + SimulationTool.version }
    return String(fieldBytes: Array(userAgent.utf8).span)
  }
}
