/// An event of Chrome's trace event format.
struct TraceEvent: Sendable {
  /// The value of an argument.
  enum Value: Sendable {
    case number(Int)
    /// A number with at most one decimal.
    case decimal(Double)
    case text(String)
  }

  /// The kind of event: `M` metadata, `b` `n` `e` an asynchronous event, `X` a slice, `C` a counter, `s` `f`
  /// an arrow.
  private let phase: Character
  private let name: String
  private let process: Int
  private let thread: Int?
  private let category: String?
  /// The time in µs; 0 for metadata.
  let time: Int64
  private let duration: Int64?
  private let id: Int?
  private let args: [(String, Value)]

  init(
    _ phase: Character, _ name: String, _ process: Int, _ thread: Int? = nil, _ category: String? = nil,
    at time: Int64 = 0, lasting duration: Int64? = nil, id: Int? = nil, args: [(String, Value)] = []
  ) {
    self.phase = phase
    self.name = name
    self.process = process
    self.thread = thread
    self.category = category
    self.time = time
    self.duration = duration
    self.id = id
    self.args = args
  }

  /// The order of events at the same time: slices come before the arrows between them.
  var rank: Int { phase == "s" ? 1 : phase == "f" ? 2 : 0 }

  var json: String {
    var text = "{\"ph\":\"\(phase)\",\"name\":\(Self.quoted(name)),\"pid\":\(process)"
    if let thread { text += ",\"tid\":\(thread)" }
    if let category { text += ",\"cat\":\"\(category)\"" }
    if phase != "M" { text += ",\"ts\":\(time)" }
    if let duration { text += ",\"dur\":\(duration)" }
    if let id {
      let quoted = "\"0x\(String(id, radix: 16))\""
      // `id2.local` assigns asynchronous events to their process. With `id` they would belong to none.
      text += "bne".contains(phase) ? ",\"id2\":{\"local\":\(quoted)}" : ",\"id\":\(quoted)"
    }
    // `bp: e` ends the arrow at the enclosing slice instead of the next one.
    if phase == "f" { text += ",\"bp\":\"e\"" }
    if !args.isEmpty {
      let fields = args.map { Self.quoted($0.0) + ":" + Self.written($0.1) }
      text += ",\"args\":{" + fields.joined(separator: ",") + "}"
    }
    return text + "}"
  }

  private static func written(_ value: Value) -> String {
    switch value {
    case .number(let number): String(number)
    case .decimal(let number): Markup.number(number)
    case .text(let text): quoted(text)
    }
  }

  /// Returns `text` as a JSON string (RFC 8259, section 7).
  static func quoted(_ text: String) -> String {
    var quoted = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"", "\\":
        quoted += "\\"
        quoted.unicodeScalars.append(scalar)
      case "\0"..." " where scalar != " ":
        let digits = String(scalar.value, radix: 16)
        quoted += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: quoted.unicodeScalars.append(scalar)
      }
    }
    return quoted + "\""
  }
}
