/// Where a redirect may lead, and with what. Pure.
struct RedirectPolicy {
  /// The most redirects of one exchange.
  let limit: Int
  /// Whether https may lead to http.
  var allowsDowngrade = false

  /// One request of a chain.
  struct Hop: Equatable {
    /// The absolute URL, without a fragment.
    var url: String
    /// What is sent; what was meant for one origin is gone from the first foreign one on.
    var headers: HeaderFields
    /// Redirects followed so far.
    var redirects = 0
  }

  /// The statuses that redirect a GET when they come with a `Location` (RFC 9110, section 15.4).
  static func isRedirect(_ status: Int) -> Bool {
    switch status {
    case 301, 302, 303, 307, 308: true
    default: false
    }
  }

  /// The hop after `hop`, to the absolute URL `target`.
  ///
  /// - Throws: ``LoadError/Kind/redirects`` after too many, ``LoadError/Kind/refused`` for another scheme or
  ///   from https to http, ``LoadError/Kind/malformedResponse`` for what is no URL.
  func hop(after hop: Hop, to target: String) throws(LoadError) -> Hop {
    let (_, from) = try CanonicalURL.parse(hop.url)
    guard hop.redirects < limit else {
      throw LoadError(
        .redirects, "more than \(limit) redirects, the last one from \(from); they may lead in a circle")
    }
    let url: String
    let to: Origin
    do {
      (url, to) = try CanonicalURL.parse(target)
    } catch {
      throw isForeign(target)
        ? LoadError(
          .refused, "\(from) redirects to something other than http or https; nothing else is followed")
        : LoadError(.malformedResponse, "\(from) redirects to something that is no usable URL")
    }
    guard to.scheme == "http" || to.scheme == "https" else {
      throw LoadError(.refused, "\(from) redirects to a \(to.scheme): URL; only http and https are followed")
    }
    guard from.scheme == to.scheme || to.scheme == "https" || allowsDowngrade else {
      throw LoadError(
        .refused,
        "\(from) redirects to \(to), which is not encrypted; ask for that URL itself, or allow the downgrade")
    }
    let headers = from == to ? hop.headers : hop.headers.crossing(to: to)
    return Hop(url: url, headers: headers, redirects: hop.redirects + 1)
  }

  private func isForeign(_ target: String) -> Bool {
    let scheme = target.prefix { $0 != ":" }.lowercased()
    return scheme != "http" && scheme != "https"
  }
}

extension HeaderFields {
  /// The fields that another origin, `origin`, may see: none that identifies a user, or names the site that asks
  /// (`Origin`) or is asked (`Host`); and of the page that asks (`Referer`) only the origin, as browsers do (Referrer
  /// Policy, "strict-origin-when-cross-origin"; RFC 9110, section 15.4).
  func crossing(to origin: Origin) -> HeaderFields {
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
