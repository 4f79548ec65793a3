internal import Cellophane
internal import CellophaneTesting

/// Answers searches and pages of a catalogue; as slowly, and as unreliably, as the request wants it.
struct ItemOrigin: Sendable {
  /// What it is asked for by.
  static let path = "/items"

  private let catalogue: ItemCatalogue
  private let draw: SeededDraw

  /// Answers about `catalogue`; `seed` decides which requests fail.
  init(_ catalogue: ItemCatalogue, seed: UInt64) {
    self.catalogue = catalogue
    draw = SeededDraw(seed: seed)
  }

  /// What it answers to the request with this `number`, whose URL has this `query`: an ``ItemPage`` as JSON, 400 with what
  /// is wrong with it, or 503 when it is to fail.
  func answer(_ query: String, number: Int) -> OriginResponse {
    let question: Question
    do throws(Question.Fault) { question = try Question(query) } catch {
      return OriginResponse(
        status: 400, headers: ["Content-Type": "text/plain"], body: Array((error.what + "\n").utf8))
    }
    var answer: OriginResponse
    // By the number of the request, so that a second attempt may go well.
    if draw.chance(question.fail, "items", number) {
      answer = OriginResponse(status: 503)
    } else {
      answer = OriginResponse(
        // What is found now may be another thing in a moment, as with every search.
        headers: ["Content-Type": "application/json", "Cache-Control": "no-store"], body: page(question))
    }
    answer.delay = question.delay
    return answer
  }

  private func page(_ question: Question) -> [UInt8] {
    let found = catalogue.rows(matching: question.query)
    let pages = (found.count + question.length - 1) / question.length
    // A page far behind the last one overflows nothing: it is empty.
    let items = question.page > pages ? [] : found.dropFirst((question.page - 1) * question.length)
    let page = ItemPage(
      query: question.query, page: question.page, pages: pages, total: found.count,
      items: items.prefix(question.length).map { row in
        ItemPage.Item(
          row: row, title: catalogue.title(of: row), section: catalogue.section(of: row),
          picture: PictureFiles.path(of: row))
      })
    // Text and whole numbers can always be written.
    return ((try? JSONText.line(page)) ?? []) + [UInt8(ascii: "\n")]
  }
}

extension ItemOrigin {
  /// What somebody wants to know, from the query of a URL.
  struct Question: Sendable, Hashable {
    /// What is wrong with a query.
    struct Fault: Error, Hashable {
      let what: String

      fileprivate static let encoding = Fault(what: "the query is not percent-encoded UTF-8")
    }

    private(set) var query = ""
    /// From 1.
    private(set) var page = 1
    /// Items of a page.
    private(set) var length = 20
    /// The wait before the answer.
    private(set) var delay = Duration.zero
    /// The share of requests that fail.
    private(set) var fail = 0.0

    /// What `text`, percent-encoded fields as of a form, asks for.
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
            throw Fault(what: "fail is not a share in 0...1")
          }
          fail = share
        case let other: throw Fault(what: "\(other) is none of q, page, per_page, delay, fail")
        }
      }
    }

    private static func number(_ text: String, _ name: String, in range: ClosedRange<Int>) throws(Fault)
      -> Int
    {
      guard let number = Int(text), range.contains(number) else {
        throw Fault(what: "\(name) is not a number in \(range.lowerBound)...\(range.upperBound)")
      }
      return number
    }

    /// As forms write it (WHATWG URL, `application/x-www-form-urlencoded`): `+` is a blank, `%41` a byte.
    private static func decoded(_ text: Substring) throws(Fault) -> String {
      var bytes: [UInt8] = []
      var rest = text.utf8
      while let byte = rest.popFirst() {
        switch byte {
        case UInt8(ascii: "+"): bytes.append(UInt8(ascii: " "))
        case UInt8(ascii: "%"):
          let digits = String(Substring(rest.prefix(2)))
          // A number may begin with a sign, a code may not.
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
