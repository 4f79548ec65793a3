/// The opt-outs of owners in response fields: `X-Robots-Tag` (Google Search Central, "Robots meta tag specifications") and
/// `TDM-Reservation` (W3C, TDM Reservation Protocol).
package enum RobotsTag {
  /// The directives that forbid the use of an image in a data set. `none` means `noindex, nofollow`. img2dataset
  /// reads the others.
  private static let optOuts: Set = ["noai", "noimageai", "noindex", "noimageindex", "none"]
  /// The directives with a value after a colon. Another word in front of a colon names the robot that the following
  /// directives address.
  private static let valued: Set = [
    "max-snippet", "max-image-preview", "max-video-preview", "unavailable_after",
  ]

  /// Returns the first directive in `headers` that opts out of data sets, for all robots or for `robot`; nil without one.
  ///
  /// - Parameter robot: The name of the robot in lower case, such as `cellophane`.
  package static func optOut(in headers: HeaderFields, for robot: String) -> String? {
    for value in headers.values(of: "x-robots-tag") {
      var addressee: String?
      for part in value.split(separator: ",") {
        let words = part.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map { word in
          String(decoding: Array(word.utf8)[...].trimmed, as: UTF8.self).lowercased()
        }
        // A space: the rest of a date.
        if words.count == 2, valued.contains(words[0]) || words[0].contains(" ") { continue }
        if words.count == 2 { addressee = words[0] }
        guard let directive = words.last, optOuts.contains(directive), [nil, "*", robot].contains(addressee)
        else { continue }
        return directive
      }
    }
    return nil
  }
  /// Returns whether `TDM-Reservation` reserves the rights of text and data mining; nil without a valid field.
  package static func tdmReservation(in headers: HeaderFields) -> Bool? {
    switch headers["tdm-reservation"] {
    case "1": true
    case "0": false
    default: nil
    }
  }
}
