internal import Cellophane
internal import CellophaneNetwork

/// An origin of searches and pages in a catalog, with the delay and the failure rate that the request
/// specifies.
struct ItemOrigin: Sendable {
  /// The path of the resource.
  static let path = "/items"

  private let catalog: ItemCatalog
  private let draw: SeededDraw

  /// Creates an origin for `catalog`; `seed` determines the requests that fail.
  init(_ catalog: ItemCatalog, seed: UInt64) {
    self.catalog = catalog
    draw = SeededDraw(seed: seed)
  }

  /// Returns the response to a request with a query and a number: an ``ItemPage`` as JSON, 400 with the
  /// reason for an invalid query, or 503 for a request that fails.
  func answer(_ query: String, number: Int) -> OriginResponse {
    let parameters: Parameters
    do throws(Parameters.Fault) { parameters = try Parameters(query) } catch {
      return OriginResponse(
        status: 400, headers: ["Content-Type": "text/plain"], body: Array((error.message + "\n").utf8))
    }
    var answer: OriginResponse
    // The draw depends on the number of the request, so that a retry may succeed.
    if draw.chance(parameters.fail, "items", number) {
      answer = OriginResponse(status: 503)
    } else {
      answer = OriginResponse(
        // The result of a search may change at any time.
        headers: ["Content-Type": "application/json", "Cache-Control": "no-store"], body: page(parameters))
    }
    answer.delay = parameters.delay
    return answer
  }

  private func page(_ parameters: Parameters) -> [UInt8] {
    let found = catalog.rows(matching: parameters.query)
    let pages = (found.count + parameters.length - 1) / parameters.length
    // Checked first, so that the offset of a very high page number does not overflow.
    let items = parameters.page > pages ? [] : found.dropFirst((parameters.page - 1) * parameters.length)
    let page = ItemPage(
      query: parameters.query, page: parameters.page, pages: pages, total: found.count,
      items: items.prefix(parameters.length).map { row in
        ItemPage.Item(
          row: row, title: catalog.title(of: row), section: catalog.section(of: row),
          picture: PictureFiles.path(of: row))
      })
    // Text and whole numbers can always be encoded.
    return ((try? JSONText.line(page)) ?? []) + [UInt8(ascii: "\n")]
  }
}

extension ItemOrigin {
  /// The parameters of a request, from the query of its URL.
  struct Parameters: Sendable, Hashable {
    /// The reason why a query is invalid.
    struct Fault: Error, Hashable {
      let message: String

      fileprivate static let encoding = Fault(message: "the query is not percent-encoded UTF-8")
    }

    private(set) var query = ""
    /// The number of the page, from 1.
    private(set) var page = 1
    /// The number of items per page.
    private(set) var length = 20
    /// The delay of the answer.
    private(set) var delay = Duration.zero
    /// The share of requests that fail.
    private(set) var fail = 0.0

    /// Reads the parameters from `text`, percent-encoded fields as in a form.
    init(_ text: String) throws(Fault) {
      for field in text.split(separator: "&") {
        let parts = field.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let value = try Self.decoded(parts.count == 2 ? parts[1] : "")
        switch try Self.decoded(parts[0]) {
        case "q": query = value
        case "page": page = try Self.number(value, "page", in: 1...1_000_000)
        case "per_page": length = try Self.number(value, "per_page", in: 1...100)
        // A minute: longer than any loader waits for a first byte.
        case "delay": delay = .milliseconds(try Self.number(value, "delay, in ms,", in: 0...60_000))
        case "fail":
          guard let share = Double(value), (0...1).contains(share) else {
            throw Fault(message: "fail must be a share from 0 to 1")
          }
          fail = share
        case let other:
          throw Fault(message: "unknown field \(other); the fields are q, page, per_page, delay, fail")
        }
      }
    }

    private static func number(_ text: String, _ name: String, in range: ClosedRange<Int>) throws(Fault)
      -> Int
    {
      guard let number = Int(text), range.contains(number) else {
        throw Fault(message: "\(name) must be a whole number from \(range.lowerBound) to \(range.upperBound)")
      }
      return number
    }

    /// Decodes a field of a form (WHATWG URL, `application/x-www-form-urlencoded`): `+` is a space, `%41` a
    /// byte.
    private static func decoded(_ text: Substring) throws(Fault) -> String {
      var bytes: [UInt8] = []
      var rest = text.utf8
      while let byte = rest.popFirst() {
        switch byte {
        case UInt8(ascii: "+"): bytes.append(UInt8(ascii: " "))
        case UInt8(ascii: "%"):
          let digits = String(Substring(rest.prefix(2)))
          // `UInt8` accepts a sign, a percent-encoded byte has none.
          guard digits.utf8.count == 2, digits.first != "+", digits.first != "-",
            let value = UInt8(digits, radix: 16)
          else { throw .encoding }
          bytes.append(value)
          rest = rest.dropFirst(2)
        default: bytes.append(byte)
        }
      }
      guard let decoded = String(validating: bytes, as: UTF8.self) else { throw .encoding }
      return decoded
    }
  }
}
