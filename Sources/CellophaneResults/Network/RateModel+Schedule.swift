internal import CellophaneNetwork

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

extension RateModel {
  /// Returns the rates of a link with the mean rate `mean`, in bit/s. The mean of one schedule differs from it by
  /// chance.
  func schedule(mean: Int, seed: UInt64) -> RateSchedule {
    let draw = SeededDraw(seed: seed)
    let step = Double(Self.step) / 1_000
    // The correlation of two steps, and the part of a step that is new.
    let kept = exp(-step / correlationTime)
    let new = (1 - kept * kept).squareRoot()
    let median = Double(mean) / availability * exp(-sigma * sigma / 2)
    // In steps of a thousandth of the mean, because the last bits of an exponential differ between systems.
    let unit = max(1, Double(mean) / 1_000).rounded()
    var deviation = draw.normal("rate", Self.steps)
    var isOut = !draw.chance(availability, "outage", Self.steps)
    var rates: [Int64] = []
    for index in 0..<Self.steps {
      let change = isOut ? step / outageLength : step * outagesPerMinute / 60 / availability
      if draw.chance(change, "outage", index) { isOut.toggle() }
      let rate = (median * exp(sigma * deviation) / unit).rounded() * unit
      rates.append(isOut ? 0 : Int64(min(max(1, rate), Double(RateSchedule.maxRate))))
      deviation = kept * deviation + new * draw.normal("rate", index)
    }
    return RateSchedule(rates, interval: Int64(Self.step) * 1_000_000)
  }
}
