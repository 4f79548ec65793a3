/// A rate that changes over time: constant within each interval, and repeated at its end.
///
/// Times are in ns, rates in bit/s. All numbers are integers, so that a schedule is the same on every machine.
package struct RateSchedule: Hashable, Sendable {
  /// The maximum number of intervals: an hour in intervals of 20 ms, 1.5 MB.
  package static let maxIntervals = 180_000
  /// The maximum period: a day, which is also the longest run.
  package static let maxPeriod: Int64 = 86_400_000_000_000
  /// The highest rate, in bit/s: ten times the fastest home network.
  package static let maxRate: Int64 = 100_000_000_000

  /// The rates of the intervals.
  package let rates: [Int64]
  /// The duration of each interval but the last, which ends with the period.
  package let interval: Int64
  /// The time after which the schedule repeats.
  package let period: Int64
  /// The time of the schedule at time 0.
  private var start: Int64 = 0

  /// Creates a schedule.
  ///
  /// - Parameter period: The default is one interval for each rate.
  /// - Precondition: There are at most ``maxIntervals`` rates, and one of them is positive. The last interval has
  ///   a duration.
  package init(_ rates: [Int64], interval: Int64, period: Int64? = nil) {
    self.rates = rates
    self.interval = interval
    self.period = period ?? interval * Int64(rates.count)
    precondition(rates.count <= Self.maxIntervals && rates.contains { $0 > 0 } && !rates.contains { $0 < 0 })
    precondition(interval > 0 && self.period > interval * Int64(rates.count - 1))
  }

  /// The mean rate of a period, rounded down; at least 1.
  package var mean: Int64 { max(1, Int64(total / Int128(period))) }

  /// The amount of data in a period, in bit/s · ns.
  private var total: Int128 {
    let excess = Int128(period) - Int128(interval) * Int128(rates.count)
    return rates.reduce(0) { $0 + Int128($1) } * Int128(interval) + Int128(rates.last ?? 0) * excess
  }

  /// The highest rate.
  package var peak: Int64 { rates.max() ?? 0 }

  /// Returns this schedule with all rates multiplied so that the mean is `mean`.
  package func scaled(toMean mean: Int64) -> RateSchedule {
    let own = self.mean
    guard own != mean else { return self }
    let scaled = rates.map { rate in
      rate > 0 ? max(1, Int64(min(Int128(rate) * Int128(mean) / Int128(own), Int128(Self.maxRate)))) : 0
    }
    return RateSchedule(scaled, interval: interval, period: period).starting(at: start)
  }

  /// Returns this schedule from `time` of its period on.
  package func starting(at time: Int64) -> RateSchedule {
    var schedule = self
    schedule.start = time % period
    return schedule
  }

  /// Returns the rate at `time`.
  package func rate(at time: Int64) -> Int64 { rates[position(of: time).index] }

  /// Returns the first time after `time` at which the rate changes; nil if it never changes.
  package func nextChange(after time: Int64) -> Int64? {
    let (first, change) = position(of: time)
    var next = change
    for _ in rates {
      let (index, end) = position(of: next)
      if rates[index] != rates[first] { return next }
      next = end
    }
    return nil
  }

  /// Returns the first time from `time` on at which the rate is not 0.
  package func nextFlow(from time: Int64) -> Int64 {
    rate(at: time) > 0 ? time : nextChange(after: time) ?? time
  }

  /// Returns the amount of data between two times, in bit/s · ns. O(number of rates).
  package func bits(from first: Int64, to last: Int64) -> Int128 {
    let periods = (last - first) / period
    var (sum, time) = (Int128(periods) * total, first + periods * period)
    while time < last {
      let (index, end) = position(of: time)
      sum += Int128(rates[index]) * Int128(min(end, last) - time)
      time = end
    }
    return sum
  }

  /// Returns the time at which `bits` (bit/s · ns) have been delivered from `time` on, rounded up.
  package func end(of bits: Int128, from time: Int64) -> Int64 {
    let periods = bits > 0 ? (bits - 1) / total : 0
    var (rest, time) = (bits - periods * total, time + Int64(periods) * period)
    while rest > 0 {
      let (index, end) = position(of: time)
      let rate = Int128(rates[index])
      let most = rate * Int128(end - time)
      if most >= rest { return time + Int64((rest - 1) / rate) + 1 }
      rest -= most
      time = end
    }
    return time
  }

  /// Returns the interval at `time`, and the time of its end.
  private func position(of time: Int64) -> (index: Int, end: Int64) {
    let local = (time + start) % period
    let index = min(Int(local / interval), rates.count - 1)
    let end = index == rates.count - 1 ? period : Int64(index + 1) * interval
    return (index, time + end - local)
  }
}
