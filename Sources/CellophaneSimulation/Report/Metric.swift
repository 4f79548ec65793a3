/// One number that a run is judged by, with the name under which results keep it.
public enum Metric: String, Sendable, Hashable, CaseIterable {
  /// The share of visible picture area, over time, that lacked its picture.
  case blankRatio = "blank_ratio"
  /// The same while the list moves at less than 50 px/s: somebody is looking.
  case blankRatioAtRest = "blank_ratio_at_rest"
  /// The area that lacked its picture, over time: pixels · seconds.
  case blankPixelSeconds = "blank_px_s"
  /// Rows that came onto the screen, each time counted.
  case appearances
  /// The share of appearances that had their picture in their first frame.
  case readyOnAppear = "ready_on_appear"
  /// The share of appearances of at least 100 ms that never had their picture.
  case neverSeen = "never_seen_ratio"
  /// How often a slot came to show the picture of another row.
  case misplacedEvents = "misplaced_events"
  /// For how long rows showed the picture of another row.
  case misplacedMilliseconds = "misplaced_ms"
  /// Rows that showed a picture which could not be proven, because their URL gave none afterwards.
  case unverifiedRows = "unverified_rows"
  /// How often a slot was given another row; what the hit ratios are shares of.
  case slotRequests = "slot_requests"
  /// The share of slot requests that memory answered.
  case memoryHits = "hit_ratio.memory"
  /// The share that the disk cache answered.
  case diskHits = "hit_ratio.disk"
  /// The share that the network answered; the rest had moved on before.
  case networkHits = "hit_ratio.network"
  /// Transfers begun.
  case transfers = "requests"
  /// Transfers given up because nobody waited any more.
  case cancelledTransfers = "cancelled_transfers"
  /// Loads that failed in a slot.
  case failedLoads = "failed_loads"
  /// Transfers that ran while another of the same URL was running.
  case duplicateInFlight = "duplicate_inflight"
  /// The most transfers at once.
  case peakInFlight = "peak_inflight"
  /// Body bytes received, by whole transfers and others.
  case bytesDown = "bytes_down"
  /// Body bytes of transfers whose picture was never on the screen.
  case wastedBytes = "wasted_bytes"
  /// Of those, the bytes of transfers that were given up or failed.
  case wastedPartial = "wasted_bytes.cancelled_partial"
  /// Of those, the bytes of whole transfers.
  case wastedUnseen = "wasted_bytes.completed_unseen"
  /// Body bytes of URLs that had been received whole before.
  case refetchedBytes = "refetched_bytes"
  /// Loads whose slot moved on before their picture came, and whose picture was kept from it.
  case stalePrevented = "stale_prevented"
  /// Of those, the ones that were cancelled.
  case staleCancelled = "stale_prevented.cancelled"
  /// Of those, the ones whose picture came and was dropped at the slot.
  case staleDropped = "stale_prevented.dropped"
  /// The most memory that the process had in RAM; the embedded origin and its pictures are in it.
  case peakResidentBytes = "peak_rss"
  /// The most that decoded pictures in the memory cache cost.
  case peakMemoryCost = "peak_memory_cost"
  /// Frames that were on the screen later than they should have been.
  case lateFrames = "late_frames"
  /// How late frames came, for each second of scrolling.
  case hitches = "hitch_ms_per_s"

  /// Which way is better.
  public enum Direction: String, Sendable, Codable {
    /// Less is better.
    case lower
    /// More is better.
    case higher
  }

  /// The unit: `1` for ratios and counts, `B`, `ms`, `ms/s`, `px·s`.
  public var unit: String {
    switch self {
    case .blankPixelSeconds: "px·s"
    case .misplacedMilliseconds: "ms"
    case .hitches: "ms/s"
    case .bytesDown, .wastedBytes, .wastedPartial, .wastedUnseen, .refetchedBytes, .peakResidentBytes,
      .peakMemoryCost:
      "B"
    default: "1"
    }
  }

  /// Which way is better; nil when neither is, by itself.
  public var better: Direction? {
    switch self {
    case .readyOnAppear, .memoryHits, .diskHits: .higher
    case .appearances, .slotRequests, .networkHits, .cancelledTransfers, .stalePrevented, .staleCancelled,
      .staleDropped, .peakInFlight:
      nil
    default: .lower
    }
  }

  /// The object that holds the number in a result, for one that stands in a group: `hit_ratio`.
  var group: String? { rawValue.split(separator: ".").dropLast().last.map(String.init) }

  /// The name within its group.
  var name: String { rawValue.split(separator: ".").last.map(String.init) ?? rawValue }
}
