/// Parses the three date formats of RFC 9110, section 5.6.7, into seconds since 1970.
///
/// No locale and no calendar object is used: a formatter costs more than reading a complete cache entry.
/// Letter case is ignored, and `UTC` is accepted for `GMT` (RFC 9111, section 4.2).
package enum HTTPDate {
  /// Returns the date in `text`; nil if it has none of the formats.
  ///
  /// - Parameter now: Seconds since 1970; determines the century of a two-digit year.
  package static func parse(_ text: String, now: Int64) -> Int64? {
    let words = text.utf8.map(\.lowercased).split(separator: UInt8(ascii: " "), maxSplits: 6).map(Array.init)
    switch words.count {
    case 6:  // Sun, 06 Nov 1994 08:49:37 GMT
      guard isDayName(words[0], shape: .shortWithComma), words[1].count == 2, words[3].count == 4,
        zones.contains(words[5]), text.utf8.count == 29, let year = number(words[3])
      else { return nil }
      return seconds(year: year, month: words[2], day: words[1], time: words[4])
    case 4:  // Sunday, 06-Nov-94 08:49:37 GMT
      let date = words[1].split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false).map(
        Array.init)
      guard isDayName(words[0], shape: .longWithComma), zones.contains(words[3]), date.count == 3,
        date[0].count == 2, date[2].count == 2, let shortYear = number(date[2])
      else { return nil }
      return recent(shortYear: shortYear, month: date[1], day: date[0], time: words[2], now: now)
    case 5:  // Sun Nov  6 08:49:37 1994, where a day below ten has a space before it
      let isPadded = words[2].count == 1
      guard isDayName(words[0], shape: .short), words[2].count == 2 || isPadded, words[4].count == 4,
        let year = number(words[4]), text.utf8.count == 24
      else { return nil }
      return seconds(year: year, month: words[1], day: words[2], time: words[3])
    default:
      return nil
    }
  }

  private enum DayNameShape { case short, shortWithComma, longWithComma }

  private static let zones = ["gmt", "utc"].map { Array($0.utf8) }
  private static let dayNames = [
    "sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday",
  ]
  private static let monthNames = [
    "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
  ].map { Array($0.utf8) }

  private static func isDayName(_ word: [UInt8], shape: DayNameShape) -> Bool {
    dayNames.contains { name in
      switch shape {
      case .short: word.elementsEqual(name.utf8.prefix(3))
      case .shortWithComma: word.elementsEqual((name.prefix(3) + ",").utf8)
      case .longWithComma: word.elementsEqual((name + ",").utf8)
      }
    }
  }

  /// Resolves a two-digit year. A year that appears to be more than 50 years ahead belongs to the previous
  /// century (RFC 9110, section 5.6.7).
  private static func recent(
    shortYear: Int64, month: [UInt8], day: [UInt8], time: [UInt8], now: Int64
  ) -> Int64? {
    let year = civilYear(of: now)
    let candidate = year - year % 100 + shortYear
    guard candidate > year + 50 else {
      return seconds(year: candidate, month: month, day: day, time: time)
    }
    return seconds(year: candidate - 100, month: month, day: day, time: time)
  }

  private static func seconds(year: Int64, month: [UInt8], day: [UInt8], time: [UInt8]) -> Int64? {
    let clock = time.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false).map(Array.init)
    guard clock.count == 3, clock.allSatisfy({ $0.count == 2 }), let hour = number(clock[0]),
      let minute = number(clock[1]), let second = number(clock[2]), let day = number(day),
      let monthIndex = monthNames.firstIndex(of: month), year >= 1
    else { return nil }
    let month = Int64(monthIndex + 1)
    // 60 is a leap second, which the grammar allows.
    guard hour <= 23, minute <= 59, second <= 60, day >= 1, day <= days(inMonth: month, of: year) else {
      return nil
    }
    return ((daysSince1970(year, month, day) * 24 + hour) * 60 + minute) * 60 + second
  }

  /// Parses decimal digits; at most four, so that nothing overflows.
  private static func number(_ digits: [UInt8]) -> Int64? {
    guard (1...4).contains(digits.count) else { return nil }
    var value: Int64 = 0
    for digit in digits {
      guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit) else { return nil }
      value = value * 10 + Int64(digit - UInt8(ascii: "0"))
    }
    return value
  }

  private static func days(inMonth month: Int64, of year: Int64) -> Int64 {
    switch month {
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  /// Returns the days since 1970 in the Gregorian calendar for years from 1. Years begin in March so that the
  /// leap day is the last day (H. Hinnant, "chrono-compatible low-level date algorithms").
  private static func daysSince1970(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
    let year = month <= 2 ? year - 1 : year
    let era = year / 400
    let yearOfEra = year - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }

  /// Returns the calendar year of a time in seconds since 1970, using the mean length of a Gregorian year.
  ///
  /// Within a day of New Year the result may be off by one, which the 50-year rule tolerates. The result is
  /// clamped to 100...9899.
  private static func civilYear(of time: Int64) -> Int64 {
    min(max(1970 + time / 31_556_952, 100), 9_899)
  }
}
