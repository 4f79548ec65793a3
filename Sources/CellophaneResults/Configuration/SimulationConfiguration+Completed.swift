internal import Cellophane
internal import CellophaneNetwork

extension SimulationConfiguration {
  /// Returns the configuration as a result contains it, with derived values and assumptions.
  ///
  /// - Parameter meanBytes: The mean size of a generated file; nil if unknown.
  package func completed(layout: ListLayout, meanBytes: Int?) -> SimulationConfiguration {
    var configuration = self
    configuration.list = list.completed(rows: layout.rows, meanBytes: meanBytes)
    configuration.viewport.slots = layout.slots
    configuration.network.profile = network.parsableProfile
    // A result does not contain the samples of a log.
    if case .log(let log) = gesture.profile {
      configuration.gesture.profile = .log(ScrollLog(name: log.name))
    }
    // Sections that do not apply are not encoded. They decode as the default.
    if list.isOwn { (configuration.network, configuration.origin) = (Network(), Origin()) }
    if time == .real { configuration.decoding = Decoding() }
    configuration.assumptions = Self.assumptions(of: self)
    return configuration
  }

  private static func assumptions(of configuration: SimulationConfiguration) -> [String] {
    let always =
      ofGestures(configuration.gesture) + ofList(configuration.list) + ofScreen(configuration.viewport)
      + ofEvents(configuration) + [
        "at rest: slower than 50 px/s, assumed",
        "row noticed: on the screen for 100 ms or longer (Nielsen, 1993)",
        configuration.replicas >= Bootstrap.minReplicas
          ? "ci95: beta bootstrap-t over replicas (Owen, 2025), \(Bootstrap.resamples) draws; of quantiles, expanded percentiles"
          : "fewer than \(Bootstrap.minReplicas) replicas: no confidence interval",
      ]
    switch configuration.time {
    case .virtual:
      return always + ofFiles(configuration.list) + ofOrigin(configuration.origin)
        + ofPreviews(configuration.loader) + ofVariation(configuration.network.profile)
        + ofModel(configuration.network)
        + ofHosts(configuration) + ofRadio(configuration.network.profile.wakeUp) + [
          ofDecoding(configuration.decoding)
        ]
    case .real where !configuration.list.isOwn:
      return always + [
        "network: one token bucket for all connections, slow start on each; the first answer of a connection is delayed by"
          + " its handshakes; no loss; a cancelled transfer ends at once",
        ofThinking,
      ] + ofFiles(configuration.list)
    case .real: return always
    }
  }

  private static func ofGestures(_ gesture: Gesture) -> [String] {
    switch gesture.profile {
    case .constant: []
    case .log(let log): ["gesture: recorded in \(log.name); the list moves evenly between samples"]
    case .reader, .browser, .skimmer, .stress:
      [
        "gesture.dwell: assumed; the median of reader, 1.7 s, is a mean time on a piece of content (Facebook, 2016);"
          + " its mean is 2.3 s",
        "gesture.flick: the limits 50...8000 px/s from Android, the 7000 px/s of stress from FlashList, the others assumed",
        "gesture.backward, caught, again, jump, catch_time, drag_px, drag_s: assumed",
        "gesture.catch_time: a share of the duration of the same fling on iOS, under all physics",
      ]
        + (gesture.physics == .flutter
          ? ["gesture.physics: flutter on a screen with 1.75 pixels per px"] : [])
    }
  }

  private static func ofScreen(_ viewport: Viewport) -> [String] {
    viewport.density == 1
      ? [] : ["viewport.density: files keep their pixels, their bytes and their decoding time; assumed"]
  }

  private static func ofEvents(_ configuration: SimulationConfiguration) -> [String] {
    configuration.rotations.isEmpty
      ? []
      : ["events.rotation: the list grows with the width of the screen, and the gestures restart; assumed"]
  }

  private static func ofList(_ list: List) -> [String] {
    var assumptions =
      list.layout == .rows ? [] : ["list.layout: the sizes of \(list.layout.rawValue) assumed"]
    if list.heights != nil { assumptions.append("list.row_height_px: from the list file") }
    if list.heightSigma != nil {
      assumptions.append("list.height_sigma: assumed, heights from half to double")
    }
    if list.repeated != nil {
      assumptions.append("list.repeat: the popularity of web objects (Breslau et al., INFOCOM 1999)")
    }
    return assumptions
  }

  private static func ofFiles(_ list: List) -> [String] {
    guard let listed = list.listed else { return ofGenerated(list) }
    let known = listed.bytes.count { $0 != nil }
    return [
      "list.bytes: from the list file for \(known) of \(listed.bytes.count) rows"
        + (known < listed.bytes.count ? ", the others assumed" : ""),
      "list.image: modeled as PNG if the URL ends in .png, otherwise as JPEG; \(list.image.width) px wide; assumed",
    ]
  }

  private static func ofGenerated(_ list: List) -> [String] {
    if case .web(let format) = list.bytes {
      return [
        "list.bytes: bits per pixel of \(format.rawValue) files in the HTTP Archive of 2024, by their pixels (Guyon 2025,"
          + " wiki of codec-compare); the files of one app vary less"
      ]
    }
    guard list.bytes == .generated else { return ["list.bytes: assumed"] }
    return [
      "list.mean_bytes: files have the measured sizes of generated images of 320x320 px:"
        + " \(ListContents.pngBits.median) bits per pixel as PNG, \(ListContents.jpegBits.median) as JPEG, plus"
        + " their tables"
    ]
  }

  private static func ofPreviews(_ loader: Loader) -> [String] {
    loader.previews
      ? [
        "loader.previews: of a progressive JPEG after 1/8, 1/4, 1/2 and 3/4 of its bytes, of other files from their"
          + " first row on; checked each frame; a preview takes no time to draw, and the complete file is decoded from"
          + " the start; assumed"
      ]
      : []
  }

  private static func ofOrigin(_ origin: Origin) -> [String] {
    origin.change == nil
      ? []
      : [
        "origin.change_s: the versions of an image follow at even intervals from a random time on, with equal file"
          + " sizes; assumed"
      ]
  }

  private static let ofThinking =
    "network.think_ms: 30 ms from Lighthouse's model; its spread assumed, drawn per image and attempt"

  private static func ofVariation(_ profile: NetworkProfile) -> [String] {
    switch profile.variation {
    case .trace(let file, _):
      [
        "network: the rate of \(file.map { "the trace \($0)" } ?? "network.trace"), from a time that is drawn from the seed on;"
          + " while it is 0, no response begins and no handshake ends"
      ]
    case .model(let model):
      [
        "network: the rate has the coefficient of variation \(model.variation) over seconds, correlated over"
          + " \(model.correlationTime) s, and \(model.outagesPerMinute) outages of \(model.outageLength) s per minute, after"
          + " published traces (network-model.md); the same for all loaders of a replica"
      ]
    case nil: []
    }
  }

  private static func ofSharing(_ network: Network) -> [String] {
    let idle = idleness(network.idleRestart)
    guard network.profile.queue == nil else {
      return [
        "network: packet by packet; slow start from 10 segments (RFC 6928) without HyStart, after a loss CUBIC for small"
          + " windows (RFC 9438), \(idle); no buffers at the origin",
        "network.queue: first in, first out for all connections; a loss is noticed a round trip later; handshakes wait for"
          + " what is in the queue when they start",
      ]
    }
    return [
      "network: connections share the link equally; slow start from 10 segments (RFC 6928), one window per round trip,"
        + " \(idle); no buffers at the origin or on the link",
      "network.loss: limits the window by Mathis's formula; a loss at the end of a body delays it by a timeout"
        + " (an approximation)",
    ]
  }

  private static func ofModel(_ network: Network) -> [String] {
    ofSharing(network) + [
      "network.tls: TLS 1.3, one round trip after that of TCP; certificates take no bytes; no resumption",
      "network.http 3: a handshake of one round trip, or none on resumption (network.warm); a loss delays its own stream"
        + " only; timeouts and windows as over TCP",
      "network.http 2: streams by urgency (RFC 9218): visible 2, normal 3, prefetch 5, then in the order of requests; no"
        + " flow control, no change of urgency during a transfer; 2-fifo and 2-roundrobin ignore urgencies",
      "network: a cancelled transfer continues for a round trip, until the origin has learned of it, and closes its"
        + " HTTP/1.1 connection; requests of \(Network.requestSize) bytes, assumed",
      ofThinking,
      "disk and drawing: take no time",
      "hitch_ms_per_s, late_frames: unknown (null). The app's own work on the main thread makes frames late. Decoding runs"
        + " on other threads, and binding a slot takes microseconds. Measured in real time",
    ]
  }

  private static func ofHosts(_ configuration: SimulationConfiguration) -> [String] {
    configuration.hostCount == 1
      ? []
      : [
        "network: \(configuration.hostCount) hosts\(configuration.list.listed == nil ? ", with equal shares of the images" : "");"
          + " no connection is shared by hosts"
      ]
  }

  private static func ofRadio(_ radio: RadioWakeUp?) -> [String] {
    radio == nil
      ? [] : ["network.wake_ms: the radio is connected at the start; an exchange keeps it connected"]
  }

  private static func idleness(_ restart: IdleRestart) -> String {
    switch restart {
    case .reset: "restarted after a second of idleness (RFC 5681)"
    case .halve: "halved by each idle timeout, as on Linux"
    case .never: "kept while idle"
    }
  }

  private static func ofDecoding(_ decoding: Decoding) -> String {
    let assumed = Decoding()
    return decoding.png == assumed.png && decoding.jpeg == assumed.jpeg
      ? "decoding: costs assumed after small photographs on one core of a server; cores assumed"
      : "decoding: costs as given; cores assumed"
  }
}
