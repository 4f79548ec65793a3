/// A number that describes a run. The raw value is its name in results.
public enum Metric: String, Sendable, Hashable, CaseIterable {
  /// The share of the visible image area, over time, without its image.
  case blankRatio = "blank_ratio"
  /// The same while the list moves at less than 50 px/s, when a viewer can look at it.
  case blankRatioAtRest = "blank_ratio_at_rest"
  /// The same until the first movement of the list: the first screen loads.
  case blankRatioCold = "blank_ratio_cold"
  /// The same from the first movement on, which prefetching can change.
  case blankRatioWarm = "blank_ratio_warm"
  /// The area without its image, summed over time: pixels · seconds.
  case blankPixelSeconds = "blank_px_s"
  /// The blank share of a planner that knows the present screen, and no gesture in advance. Unknown unless
  /// ``SimulationConfiguration/foresight`` is set.
  case foresight0s = "foresight.0s"
  /// The same with the gestures of the next second.
  case foresight1s = "foresight.1s"
  /// The same with the gestures of the next three seconds.
  case foresight3s = "foresight.3s"
  /// The lower bound for any loader that knows all gestures: the blank share of the oracle.
  case foresightAll = "foresight.all"
  /// The share of the visible image area, over time, with a preview instead of the image; part of the blank
  /// share.
  case previewRatio = "preview_ratio"
  /// Rows that entered the screen. A row that returns counts again.
  case appearances
  /// The share of the appearances with their image in their first frame.
  case readyOnAppear = "ready_on_appear"
  /// The share of the appearances with their image within 100 ms. A row that left before has never had it.
  case seenWithin100ms = "seen_within.100ms"
  /// The same within 400 ms.
  case seenWithin400ms = "seen_within.400ms"
  /// The same within 1 s.
  case seenWithin1s = "seen_within.1s"
  /// The share of the appearances of at least 100 ms that never had their image.
  case neverSeen = "never_seen_ratio"
  /// Images that arrived while their row was on the screen.
  case popIns = "pop_ins"
  /// Of these, the ones that arrived while the list moved.
  case popInsMoving = "pop_ins.moving"
  /// Of these, the ones that arrived while the list moved at less than 50 px/s.
  case popInsAtRest = "pop_ins.at_rest"
  /// The same per minute of the run.
  case popInsAtRestPerMinute = "pop_ins_at_rest_per_min"
  /// How often a slot began to show the image of another row.
  case misplacedEvents = "misplaced_events"
  /// The total time for which rows showed the image of another row.
  case misplacedMilliseconds = "misplaced_ms"
  /// The total time for which rows showed an older version of their image than the origin had. Unknown for
  /// the user's own images.
  case staleMilliseconds = "stale_shown_ms"
  /// How often a slot lost its image and showed it again while it was bound to the same row.
  case flickerEvents = "flicker_events"
  /// Rows with an image that could not be verified, because their URL returned none after the run.
  case unverifiedRows = "unverified_rows"
  /// How often a slot was bound to another row; the base of the hit ratios.
  case slotRequests = "slot_requests"
  /// The share of the slot requests that the memory cache answered.
  case memoryHits = "hit_ratio.memory"
  /// The share that the disk cache answered.
  case diskHits = "hit_ratio.disk"
  /// The share that the network answered. The remaining loads failed, or their slots were bound to another row before.
  case networkHits = "hit_ratio.network"
  /// The best possible hit ratio of a memory cache of this size that knows all slot requests in advance and
  /// holds nothing else: Belady's algorithm, or the upper bound PFOO-L if images differ in size. Based on the
  /// first 131 072 requests, two and a half hours of skimming.
  case bestMemoryHits = "hit_ratio.opt_memory"
  /// How far the eviction policy falls short of that on the same requests, as a share of it.
  case memoryRegret = "hit_ratio.regret"
  /// The share of the bytes of all shown files that came from memory or disk.
  case byteHits = "byte_hit_ratio"
  /// Transfers started.
  case transfers = "requests"
  /// Transfers cancelled because no load waited for them.
  case cancelledTransfers = "cancelled_transfers"
  /// Loads that failed in a slot.
  case failedLoads = "failed_loads"
  /// Transfers that ran while another transfer of the same URL ran.
  case duplicateInFlight = "duplicate_inflight"
  /// The peak number of concurrent transfers.
  case peakInFlight = "peak_inflight"
  /// Connections opened.
  case connectionsOpened = "connections_opened"
  /// Of the body bytes of transfers that started before a slot requested their image, the share whose image
  /// was shown.
  case prefetchPrecision = "prefetch.precision"
  /// Of the images that had to be fetched, the share that was prefetched: prefetched images that slots
  /// showed, divided by these and the transfers that slots started.
  case prefetchRecall = "prefetch.recall"
  /// Of the prefetched images that slots showed, the share that was complete when the slot requested it.
  case prefetchTimely = "prefetch.timely"
  /// Body bytes received by all transfers. For a complete run also the bytes that arrived after a
  /// cancellation, which no phase and no bin of the series includes.
  case bytesDown = "bytes_down"
  /// Body bytes of transfers whose image was never on the screen. For a complete run also the bytes that
  /// arrived after a cancellation.
  case wastedBytes = "wasted_bytes"
  /// Of these, the bytes of transfers that were cancelled or failed, up to that moment.
  case wastedPartial = "wasted_bytes.cancelled_partial"
  /// Of these, the bytes of complete transfers.
  case wastedUnseen = "wasted_bytes.completed_unseen"
  /// Of these, the bytes that arrived after the cancellation.
  case wastedAfterCancel = "wasted_bytes.after_cancel_in_flight"
  /// Body bytes of URLs that had been received completely before.
  case refetchedBytes = "refetched_bytes"
  /// The decoding time for rows that never showed their image.
  case decodingWasted = "decode_ms_wasted"
  /// The frames of animations that were shown, except the first ones. Unknown without animations.
  case animationFrames = "animation_frames"
  /// The share of these that were shown more than 17 ms late.
  case animationLate = "animation_late_ratio"
  /// Loads whose slot was bound to another row before their image arrived, and whose result was discarded.
  case stalePrevented = "stale_prevented"
  /// Of these, the cancelled loads.
  case staleCancelled = "stale_prevented.cancelled"
  /// Of these, the loads whose image arrived and was discarded at the slot.
  case staleDropped = "stale_prevented.dropped"
  /// The peak resident memory of the process, including the embedded origin and its images.
  case peakResidentBytes = "peak_rss"
  /// The peak cost of the decoded images in the memory cache.
  case peakMemoryCost = "peak_memory_cost"
  /// Frames that were shown late.
  case lateFrames = "late_frames"
  /// The delay of late frames per second of scrolling. Unknown in virtual time, like ``lateFrames``: frames
  /// are late because of an app's work on its main thread, which the model of a loader does not include.
  case hitches = "hitch_ms_per_s"

  /// A direction of improvement.
  package enum Direction: String, Sendable, Codable {
    /// Lower is better.
    case lower
    /// Higher is better.
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

  /// The better direction; nil if neither direction is better by itself.
  package var better: Direction? {
    switch self {
    case .readyOnAppear, .seenWithin100ms, .seenWithin400ms, .seenWithin1s, .memoryHits, .byteHits,
      .prefetchPrecision, .prefetchRecall, .prefetchTimely:
      .higher
    // More memory hits leave fewer hits to the disk. A preview is better than nothing, and worse than the
    // image.
    case .animationFrames, .foresight0s, .foresight1s, .foresight3s, .foresightAll, .previewRatio,
      .appearances,
      .slotRequests,
      .diskHits, .networkHits, .bestMemoryHits,
      .cancelledTransfers,
      .stalePrevented,
      .staleCancelled, .staleDropped, .peakInFlight:
      nil
    default: .lower
    }
  }

  /// True if the value grows with the length of a run. Totals of runs of different lengths are compared per
  /// second.
  package var isTotal: Bool {
    switch self {
    case .blankPixelSeconds, .appearances, .popIns, .popInsMoving, .popInsAtRest, .misplacedEvents,
      .misplacedMilliseconds, .staleMilliseconds, .flickerEvents, .unverifiedRows, .slotRequests, .transfers,
      .cancelledTransfers,
      .failedLoads, .duplicateInFlight, .connectionsOpened, .bytesDown, .wastedBytes, .wastedPartial,
      .wastedUnseen, .wastedAfterCancel, .refetchedBytes, .decodingWasted, .animationFrames, .stalePrevented,
      .staleCancelled,
      .staleDropped, .lateFrames:
      true
    case .animationLate, .blankRatio, .blankRatioAtRest, .blankRatioCold, .blankRatioWarm, .foresight0s,
      .foresight1s,
      .foresight3s, .foresightAll, .previewRatio, .readyOnAppear, .seenWithin100ms, .seenWithin400ms,
      .seenWithin1s, .neverSeen, .popInsAtRestPerMinute, .memoryHits, .diskHits, .networkHits,
      .bestMemoryHits, .memoryRegret, .byteHits, .peakInFlight, .prefetchPrecision,
      .prefetchRecall, .prefetchTimely, .peakResidentBytes, .peakMemoryCost, .hitches:
      false
    }
  }

  /// True if the value is a share from 0 to 1.
  package var isShare: Bool { unit == "1" && !isTotal && self != .peakInFlight }

  /// The group of the metric in a result, such as `hit_ratio`; nil without one.
  var group: String? { rawValue.split(separator: ".").dropLast().last.map(String.init) }

  /// The name within its group.
  var name: String { rawValue.split(separator: ".").last.map(String.init) ?? rawValue }
}
