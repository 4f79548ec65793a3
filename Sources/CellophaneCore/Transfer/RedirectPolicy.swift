/// The rules for following redirects. A pure value.
package struct RedirectPolicy {
  /// The maximum number of redirects of one exchange.
  let limit: Int
  /// Whether a redirect from https to http is allowed.
  var allowsDowngrade = false

  package init(limit: Int, allowsDowngrade: Bool = false) {
    self.limit = limit
    self.allowsDowngrade = allowsDowngrade
  }

  /// One request of a redirect chain.
  package struct Hop: Equatable {
    /// The absolute URL, without a fragment.
    package var url: String
    /// The fields to send. From the first other origin on, origin-bound fields are removed.
    package var headers: HeaderFields
    /// The number of redirects followed so far.
    package var redirects = 0

    package init(url: String, headers: HeaderFields, redirects: Int = 0) {
      self.url = url
      self.headers = headers
      self.redirects = redirects
    }
  }

  /// Returns whether a response to a GET with this status and a `Location` is a redirect (RFC 9110, section 15.4).
  package static func isRedirect(_ status: Int) -> Bool {
    switch status {
    case 301, 302, 303, 307, 308: true
    default: false
    }
  }

  /// Returns the hop after `hop`, to the absolute URL `target`.
  ///
  /// - Throws: ``LoadError/Kind/redirects`` after too many redirects, ``LoadError/Kind/refused`` for another
  ///   scheme or from https to http, ``LoadError/Kind/malformedResponse`` for an invalid URL.
  package func hop(after hop: Hop, to target: String) throws(LoadError) -> Hop {
    let (_, from) = try CanonicalURL.parse(hop.url)
    guard hop.redirects < limit else {
      throw LoadError(
        .redirects, "more than \(limit) redirects, the last one from \(from); they may form a loop")
    }
    let url: String
    let to: Origin
    do {
      (url, to) = try CanonicalURL.parse(target)
    } catch {
      throw hasForeignScheme(target)
        ? LoadError(
          .refused, "\(from) redirects to a URL that is not http or https; no other scheme is followed")
        : LoadError(.malformedResponse, "\(from) redirects to an invalid URL")
    }
    guard to.scheme == "http" || to.scheme == "https" else {
      throw LoadError(.refused, "\(from) redirects to a \(to.scheme): URL; only http and https are followed")
    }
    guard from.scheme == to.scheme || to.scheme == "https" || allowsDowngrade else {
      throw LoadError(
        .refused,
        "\(from) redirects to \(to), which is not encrypted; request that URL itself or allow the downgrade")
    }
    let headers = from == to ? hop.headers : hop.headers.crossing(to: to)
    return Hop(url: url, headers: headers, redirects: hop.redirects + 1)
  }

  private func hasForeignScheme(_ target: String) -> Bool {
    let scheme = target.prefix { $0 != ":" }.lowercased()
    return scheme != "http" && scheme != "https"
  }
}

extension HeaderFields {
  /// Returns the fields that another origin may receive.
  ///
  /// Fields that identify a user are removed, as are `Origin` and `Host`. `Referer` is reduced to its origin,
  /// as in browsers (Referrer Policy, "strict-origin-when-cross-origin"; RFC 9110, section 15.4).
  package func crossing(to origin: Origin) -> HeaderFields {
    var kept = HeaderFields()
    for field in fields {
      switch field.name {
      case "host", "origin": continue
      case "referer":
        guard let page = try? CanonicalURL.parse(field.value).1,
          page.scheme == origin.scheme || page.scheme == "http"
        else { continue }
        kept.append(field.name, page.description + "/")
      default:
        if !Self.isCredential(field.name) { kept.append(field.name, field.value) }
      }
    }
    return kept
  }
}
