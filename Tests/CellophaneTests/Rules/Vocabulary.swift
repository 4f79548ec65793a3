/// Retired names, which the vocabulary of Documentation/Architecture.md has replaced. The sources must not use them.
enum Vocabulary {
  /// The retired identifiers.
  static let retired: Set<String> = [
    "OriginHolds", "HoldTable", "Vanguard", "TransferWindow", "HostLimit", "Lines", "LineFill", "RoundTrips",
    "Manners", "HostManners", "Turns", "Signs", "HostTroubles", "Errand", "errand", "Course", "Departures",
    "Inquiry", "DiskLoss", "Trouble", "LandingOrder", "ArrivingBody", "FlightBody", "Reception", "Previews",
    "AheadWork", "Followers", "Perishable", "perishable", "endsUntold", "ownFields", "keptConnections",
    "whileKept", "whileFresh", "CurlTicket", "CurlBell", "CurlWaits", "nobodys", "KeyLines", "DiskLane",
    "Contender", "Posture", "Attention", "Foresight", "standstill", "Landing", "Turn", "inTurn", "inquiry",
    "Colour", "colour", "colours",
  ]

  /// Returns the retired words among the identifiers of `source`, each with its line number, from 1.
  static func violations(in source: String) -> [(line: Int, word: String)] {
    SourceTokens(source).tokens.filter { retired.contains($0.text) }.map { ($0.line, $0.text) }
  }
}
