extension Metric {
  /// The definition in one line, for the tool. `Metrics.md` has the same text.
  package var meaning: String {
    switch self {
    case .blankRatio: "share of the visible image area, over time, without its image"
    case .blankRatioAtRest:
      "blank_ratio while the list moves at less than 50 px/s; includes the empty screen at the start"
    case .blankRatioCold: "blank_ratio until the first movement of the list; only of complete runs"
    case .blankRatioWarm: "blank_ratio from the first movement of the list on; only of complete runs"
    case .blankPixelSeconds: "visible image area without its image, summed over time"
    case .foresight0s:
      "blank_ratio of a planner without latency that knows the present screen only; with --foresight"
    case .foresight1s: "the same with the gestures of the next second"
    case .foresight3s: "the same with the gestures of the next 3 s"
    case .foresightAll:
      "the lowest blank share that any loader could reach on this network if it knew all gestures (the oracle)"
    case .previewRatio: "share of the visible image area, over time, with only a preview; part of blank_ratio"
    case .appearances:
      "rows that entered the screen; a row that returns counts again; for images of your own in real time, only rows "
        + "whose URL returns an image after the run"
    case .readyOnAppear: "share of the appearances with their image in the first frame"
    case .seenWithin100ms:
      "share of the appearances with their image within 100 ms; a row that left before has never had it"
    case .seenWithin400ms: "the same within 400 ms"
    case .seenWithin1s: "the same within 1 s"
    case .neverSeen: "share of the appearances of at least 100 ms that never had their image"
    case .popIns: "pop-ins: images that arrived while their row was on the screen"
    case .popInsMoving: "pop-ins while the list moved at 50 px/s or more"
    case .popInsAtRest: "pop-ins while the list moved at less than 50 px/s"
    case .popInsAtRestPerMinute: "pop_ins.at_rest per minute of the run"
    case .misplacedEvents: "how often a slot began to show the image of another row; 0 is correct"
    case .misplacedMilliseconds: "total time for which rows showed the image of another row"
    case .staleMilliseconds:
      "total time for which rows showed an older version than the origin had; unknown for images of your own "
        + "in real time"
    case .flickerEvents: "how often a slot lost its image and showed it again for the same row"
    case .unverifiedRows:
      "rows that showed an image that could not be verified: their URL returned none, or changing ones, after the run"
    case .slotRequests:
      "how often a slot (a reused cell, which shows one row at a time) was bound to another row; the base of the hit "
        + "ratios"
    case .memoryHits: "share of the slot requests that the memory cache answered"
    case .diskHits: "share of the slot requests that the disk cache answered"
    case .networkHits:
      "share of the slot requests that the network answered; the others failed, or their row left before"
    case .bestMemoryHits:
      "hit ratio of an ideal memory cache of this size without prefetching (Belady, or the bound PFOO-L)"
    case .memoryRegret:
      "share of hit_ratio.opt_memory that the eviction policy misses on the same requests, without prefetching"
    case .byteHits: "share of the bytes of all shown files that came from memory or disk"
    case .transfers: "transfers started"
    case .cancelledTransfers: "transfers cancelled because no load waited for them"
    case .failedLoads: "loads that failed in a slot"
    case .duplicateInFlight: "transfers that ran while another one of the same URL ran; 0 is correct"
    case .peakInFlight: "peak number of concurrent transfers"
    case .connectionsOpened: "connections opened"
    case .prefetchPrecision:
      "share of the prefetched bytes whose image was shown; prefetched: the transfer started while no slot showed or "
        + "requested the image, also to refresh it in the background"
    case .prefetchRecall:
      "shown prefetched images / (shown prefetched images + transfers that slots started); prefetched as in "
        + "prefetch.precision"
    case .prefetchTimely: "share of the prefetched and shown images that were complete when requested"
    case .bytesDown: "body bytes received"
    case .wastedBytes: "body bytes of images that were never on the screen"
    case .wastedPartial: "wasted bytes of transfers that were cancelled or failed, up to that moment"
    case .wastedUnseen: "wasted bytes of complete transfers"
    case .wastedAfterCancel: "wasted bytes that arrived after the cancellation"
    case .refetchedBytes: "body bytes of URLs that had been received completely before"
    case .decodingWasted: "decoding time for rows that never showed their image"
    case .animationFrames: "frames of animations that were shown, except the first ones; with list.animated"
    case .animationLate: "share of the animation_frames that were shown more than 17 ms late"
    case .stalePrevented:
      "loads that were cancelled or discarded, because their slot was bound to another row before the image arrived"
    case .staleCancelled: "cancelled loads in stale_prevented; a load that still waited had no transfer"
    case .staleDropped: "loads in stale_prevented whose image arrived and was discarded at the slot"
    case .peakResidentBytes:
      "peak memory of the process, with the embedded origin and its images; real time only"
    case .peakMemoryCost: "peak cost of the decoded images in the memory cache"
    case .lateFrames: "frames that were shown late; real time only"
    case .hitches: "delay of late frames per second of scrolling; real time only"
    }
  }
}

extension WaitMetric {
  /// The definition in one line, for the tool. `Metrics.md` has the same text.
  package var meaning: String {
    switch self {
    case .timeToImage: "from the first frame with a row to the first frame with its image"
    case .timeToPreview:
      "from the first frame with a row to its preview, or to its image if no preview came first; only with previews"
    case .settleTime:
      "from the start or a stop of the list (below 50 px/s for 300 ms) to the first frame in which all visible rows "
        + "have images; unknown for images of your own in real time"
    case .firstScreen:
      "from the start of the run to the first frame in which all visible rows have images; unknown for images of your "
        + "own in real time"
    case .cancelLatency: "from the reuse of a slot to the end of the cancelled transfer for its former row"
    }
  }
}
