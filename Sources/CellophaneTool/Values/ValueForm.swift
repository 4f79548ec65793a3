/// The accepted forms of option values, for error messages.
enum ValueForm {
  /// The forms by the placeholder in the help of an option, or by the name of the option.
  private static let forms = [
    "WxH": "write WIDTHxHEIGHT in pixels, such as 320x240, or one number for a square; at most 65535",
    "bytes": "write a whole number with an optional unit, such as 500000, 500kB, 20MB or 1GiB",
    "seconds": "write seconds, or a number with a unit, such as 10s, 500ms, 2m or 1h",
    "ms": "write a number of milliseconds",
    "--density": "write a number from 0.75 to 4, such as 2.625",
    "--seed": "write a whole number from 0 to \(UInt64.max)",
    // Other sizes have larger limits.
    "--source": "write WIDTHxHEIGHT in pixels, such as 320x240, or one number for a square; from 16 to 2048",
    "px": "write a whole number of pixels",
    "n": "write a whole number",
    "port": "write a whole number",
    "share": "write a share from 0 to 1, or from 0% to 100%, such as 0.3 or 30%",
    "factor": "write a factor, such as 1x, 10x or 0.5x, or max",
    "i/n": "write i/n with i from 1 to n, or 0 for n, such as 1/8; n is at most 1000000",
    "sizes": "write up to 100 sizes separated by commas, whole numbers or at most 100%, such as 1%,10%,50MB",
    "[host:]name,...":
      "write names separated by commas, such as sig,expires, or HOST:sig,expires for one host, without a port",
  ]

  /// Returns the parser's message with the way to correct the command line added.
  ///
  /// - Parameter help: The command that prints the help of the command.
  static func completing(_ message: String, for help: String = "") -> String {
    let missing = "Missing expected argument '"
    if message.hasPrefix(missing) {
      let name = message.dropFirst(missing.count)
      return (name.hasPrefix("-") ? "missing option '" : "missing argument '") + name + "; add it"
    }
    let isUnexpected = message.hasPrefix("Unexpected argument") || message.contains(" unexpected arguments: ")
    if isUnexpected, help.hasPrefix("cellophane fetch "), message.contains("://") {
      return message + "; fetch takes one URL; for several use cellophane prefetch"
    }
    if message.hasPrefix("Unexpected argument") { return message + "; leave it out" }
    if message.contains(" unexpected arguments: ") { return message + "; leave them out" }
    if message.contains(" does not take any value, ") {
      return message.replacing(" does not take any value, but ", with: " takes no value, but ")
        .replacing(" was specified.", with: " was given; leave the value out")
    }
    return completingValue(message)
  }

  /// Returns the parser's message about a value with the accepted form or the accepted words added.
  ///
  /// The parser knows only which option a value is for, and writes a list of more than five words as lines.
  private static func completingValue(_ message: String) -> String {
    guard let option = message.ranges(of: " is invalid for '").last,
      let quote = message[option.upperBound...].firstIndex(of: "'")
    else { return message }
    let (start, rest) = (message[...quote], message[quote...].dropFirst())
    if rest.hasPrefix(". Please provide one of the following:") {
      let words = rest.split(separator: "\n").dropFirst().map { $0.trimmingPrefix("  - ") }
      return start + ": write one of " + words.joined(separator: ", ")
    }
    let phrase = ". Please provide one of "
    if rest.hasPrefix(phrase) { return start + ": write one of " + rest.dropFirst(phrase.count).dropLast() }
    let names = message[option.upperBound..<quote].split(separator: "<")
    guard rest.isEmpty, let option = names.first, let placeholder = names.last,
      let form = forms[String(option.prefix { $0 != " " })] ?? forms[String(placeholder.dropLast())]
    else { return message }
    return start + ": " + form
  }
}
