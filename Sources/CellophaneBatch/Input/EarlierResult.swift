/// A failed record in the results of an earlier run that may succeed now.
struct EarlierResult {
  /// The line number in the original list.
  let index: Int?
  let url: String
  let otherFields: [UInt8]

  /// Returns nil for any other result.
  init?(_ result: JSONMembers) {
    guard let outcome = result["outcome"], JSONMembers.text(outcome) == BatchResult.Outcome.failed.rawValue,
      let error = result["error"].flatMap({ try? JSONMembers($0) }), let retryable = error["retryable"],
      retryable.elementsEqual("true".utf8), let url = result["url"].flatMap(JSONMembers.text)
    else { return nil }
    index = result["index"].flatMap { Int(String(decoding: $0, as: UTF8.self)) }
    self.url = url
    let fields = result["fields"].flatMap { (try? JSONMembers($0)) == nil ? nil : $0 }
    otherFields = fields.map { Array($0.dropFirst().dropLast()[...].trimmed) } ?? []
  }
}
