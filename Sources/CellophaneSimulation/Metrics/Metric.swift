/// One number that a run is judged by, with the name under which results keep it.
public enum Metric: String, Sendable, Hashable, CaseIterable {
  /// The share of visible picture area, over time, that lacked its picture.
  case blankRatio = "blank_ratio"
  /// The same while the list moves at less than 50 px/s: somebody is looking.
  case blankRatioAtRest = "blank_ratio_at_rest"
  /// The area that lacked its picture, over time: pixels · seconds.
  case blankPixelSeconds = "blank_px_s"
  /// The share of visible picture area, over time, that had a preview in place of its picture; a part of the blank share.
  case previewRatio = "preview_ratio"
  /// Rows that came onto the screen, each time counted.
  case appearances
  /// The share of appearances that had their picture in their first frame.
  case readyOnAppear = "ready_on_appear"
  /// The share of appearances of at least 100 ms that never had their picture.
  case neverSeen = "never_seen_ratio"
  /// Pictures that came in while their row was on the screen.
  case popIns = "pop_ins"
  /// Of those, the ones that came while the list moved.
  case popInsMoving = "pop_ins.moving"
  /// Of those, the ones that came while it moved at less than 50 px/s.
  case popInsAtRest = "pop_ins.at_rest"
  /// The same for each minute of the run.
  case popInsAtRestPerMinute = "pop_ins_at_rest_per_min"
  /// How often a slot came to show the picture of another row.
  case misplacedEvents = "misplaced_events"
  /// For how long rows showed the picture of another row.
  case misplacedMilliseconds = "misplaced_ms"
  /// For how long rows showed their own picture in an older version than its origin had by then; not known of pictures
  /// of the user's own.
  case staleMilliseconds = "stale_shown_ms"
  /// How often a slot lost its picture and showed it again, while it stood for the same row.
  case flickerEvents = "flicker_events"
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
  /// The share of slot requests that a memory cache of this size could answer at best, which knows them all
  /// beforehand and is filled by them alone (Belady's; where pictures cost differently, an upper bound, PFOO-L). Of the
  /// first 131 072 requests, two hours and a half of a skimmer's.
  case bestMemoryHits = "hit_ratio.opt_memory"
  /// How far this eviction policy falls short of that, filled by the same requests, as a share of it.
  case memoryRegret = "hit_ratio.regret"
  /// The share of the bytes of all files shown that came from memory or disk.
  case byteHits = "byte_hit_ratio"
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
  /// Connections opened.
  case connectionsOpened = "connections_opened"
  /// Of the body bytes of transfers that began before a slot wanted their picture, the share of those whose picture was
  /// shown.
  case prefetchPrecision = "prefetch.precision"
  /// Of the pictures that slots showed first after they were loaded ahead, and the transfers that slots had to
  /// begin, the share of the former.
  case prefetchRecall = "prefetch.recall"
  /// Of the former, the share that was whole before a slot wanted it.
  case prefetchTimely = "prefetch.timely"
  /// Body bytes received, by whole transfers and others; of a whole run also those that still came down the line after a
  /// transfer was given up, which no phase and no bin of the series has.
  case bytesDown = "bytes_down"
  /// Body bytes of transfers whose picture was never on the screen; of a whole run also those that still came after a
  /// transfer was given up.
  case wastedBytes = "wasted_bytes"
  /// Of those, the bytes of transfers that were given up or failed, until then.
  case wastedPartial = "wasted_bytes.cancelled_partial"
  /// Of those, the bytes of whole transfers.
  case wastedUnseen = "wasted_bytes.completed_unseen"
  /// Of those, the bytes that still came of transfers after they had been given up.
  case wastedAfterCancel = "wasted_bytes.after_cancel_in_flight"
  /// Body bytes of URLs that had been received whole before.
  case refetchedBytes = "refetched_bytes"
  /// The time that decoders worked for rows which never showed their picture.
  case decodingWasted = "decode_ms_wasted"
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
  /// How late frames came, for each second of scrolling. In virtual time it is not known, nor is the number before:
  /// what an app does on its main thread makes frames late, which no model of a loader has.
  case hitches = "hitch_ms_per_s"

  /// Which way is better.
  public enum Direction: String, Sendable, Codable {
    /// Less is better.
    case lower
    /// More is better.
    case higher
  }

  /// The unit: `1` for ratios and counts, `B`, `ms`, `ms/s`, `1/min`, `px·s`.
  public var unit: String {
    switch self {
    case .blankPixelSeconds: "px·s"
    case .misplacedMilliseconds, .staleMilliseconds, .decodingWasted: "ms"
    case .popInsAtRestPerMinute: "1/min"
    case .hitches: "ms/s"
    case .bytesDown, .wastedBytes, .wastedPartial, .wastedUnseen, .wastedAfterCancel, .refetchedBytes,
      .peakResidentBytes, .peakMemoryCost:
      "B"
    default: "1"
    }
  }

  /// Which way is better; nil when neither is, by itself.
  public var better: Direction? {
    switch self {
    case .readyOnAppear, .memoryHits, .byteHits, .prefetchPrecision, .prefetchRecall, .prefetchTimely:
      .higher
    // The disk answers less where memory answers more.
    // A preview is better than nothing, and worse than the picture.
    case .previewRatio, .appearances, .slotRequests, .diskHits, .networkHits, .bestMemoryHits,
      .cancelledTransfers,
      .stalePrevented,
      .staleCancelled, .staleDropped, .peakInFlight:
      nil
    default: .lower
    }
  }

  /// True when it grows with the length of a run, so that runs of different length have to be compared by the second.
  public var isTotal: Bool {
    switch self {
    case .blankPixelSeconds, .appearances, .popIns, .popInsMoving, .popInsAtRest, .misplacedEvents,
      .misplacedMilliseconds, .staleMilliseconds, .flickerEvents, .unverifiedRows, .slotRequests, .transfers,
      .cancelledTransfers,
      .failedLoads, .duplicateInFlight, .connectionsOpened, .bytesDown, .wastedBytes, .wastedPartial,
      .wastedUnseen, .wastedAfterCancel, .refetchedBytes, .decodingWasted, .stalePrevented, .staleCancelled,
      .staleDropped, .lateFrames:
      true
    case .blankRatio, .blankRatioAtRest, .previewRatio, .readyOnAppear, .neverSeen, .popInsAtRestPerMinute,
      .memoryHits,
      .diskHits, .networkHits, .bestMemoryHits, .memoryRegret, .byteHits, .peakInFlight, .prefetchPrecision,
      .prefetchRecall, .prefetchTimely, .peakResidentBytes, .peakMemoryCost, .hitches:
      false
    }
  }

  /// The object that holds the number in a result, for one that stands in a group: `hit_ratio`.
  var group: String? { rawValue.split(separator: ".").dropLast().last.map(String.init) }

  /// The name within its group.
  var name: String { rawValue.split(separator: ".").last.map(String.init) ?? rawValue }
}
