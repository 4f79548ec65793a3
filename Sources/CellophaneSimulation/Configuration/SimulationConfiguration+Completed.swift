internal import Cellophane

extension SimulationConfiguration {
  /// As a result tells it: with what follows from it, and what its numbers rest on.
  ///
  /// - Parameter meanBytes: The mean size of a generated file; nil when nobody knows.
  func completed(layout: ListLayout, meanBytes: Int?) -> SimulationConfiguration {
    var configuration = self
    configuration.list = list.completed(rows: layout.rows, meanBytes: meanBytes)
    configuration.viewport.slots = layout.slots
    configuration.network.profile = network.spelled
    // The samples are in their file.
    if case .log(let log) = gesture.profile {
      configuration.gesture.profile = .log(ScrollLog(name: log.name))
    }
    // What has no meaning is not written, and reads back as the default.
    if list.isOwn { (configuration.network, configuration.origin) = (Network(), Origin()) }
    if time == .real { configuration.decoding = Decoding() }
    configuration.assumptions = Self.assumptions(of: self)
    return configuration
  }

  private static func assumptions(of configuration: SimulationConfiguration) -> [String] {
    let always =
      ofGestures(configuration.gesture) + ofList(configuration.list) + ofEvents(configuration) + [
        "at rest: slower than 50 px/s, assumed",
        "row noticed: on the screen for 100 ms or longer (Nielsen, 1993)",
        configuration.replicas >= Bootstrap.fewest
          ? "ci95: percentile bootstrap over replicas, \(Bootstrap.resamples) draws"
          : "fewer than \(Bootstrap.fewest) replicas: no confidence interval",
      ]
    switch configuration.time {
    case .virtual:
      return always + ofFiles(configuration.list) + ofOrigin(configuration.origin)
        + ofPreviews(configuration.loader) + ofModel + [
          ofDecoding(configuration.decoding)
        ]
    case .real where !configuration.list.isOwn:
      return always + [
        "network: one token bucket for all connections, slow start on each; handshakes are acted in the first answer;"
          + " nothing is lost, and what is given up ends at once",
        ofThinking,
      ] + ofFiles(configuration.list)
    case .real: return always
    }
  }

  private static func ofGestures(_ gesture: Gesture) -> [String] {
    switch gesture.profile {
    case .constant: []
    case .log(let log): ["gesture: recorded in \(log.name), moving evenly between its samples"]
    case .reader, .browser, .skimmer, .stress:
      [
        "gesture.dwell: 1.7 s of reader from Facebook (2016), the others assumed",
        "gesture.flick: 50...8000 px/s from Android, 7000 px/s of stress from FlashList, the others assumed",
        "gesture.backward, caught, again, jump, catch_time, drag_px, drag_s: assumed",
      ] + (gesture.physics == .flutter ? ["gesture.physics: flutter on a screen of 1.75 pixels a px"] : [])
    }
  }

  private static func ofEvents(_ configuration: SimulationConfiguration) -> [String] {
    configuration.rotations.isEmpty
      ? []
      : ["events.rotation: the list grows with the screen's width, and the hand begins anew; assumed"]
  }

  private static func ofList(_ list: List) -> [String] {
    var assumptions =
      list.layout == .rows ? [] : ["list.layout: the sizes of \(list.layout.rawValue) assumed"]
    if list.heights != nil { assumptions.append("list.row_height_px: each row as high as its list tells") }
    if list.heightSigma != nil { assumptions.append("list.height_sigma: assumed, from half to double") }
    if list.repeated != nil {
      assumptions.append("list.repeat: popularity as of web objects (Breslau et al., INFOCOM 1999)")
    }
    return assumptions
  }

  private static func ofFiles(_ list: List) -> [String] {
    guard let listed = list.listed else { return ofGenerated(list) }
    let known = listed.bytes.count { $0 != nil }
    return [
      "list.bytes: as the list tells of \(known) of \(listed.bytes.count) rows"
        + (known < listed.bytes.count ? ", the others assumed" : ""),
      "list.image: modelled as PNG where the URL ends in .png, else as JPEG, of \(list.image.width) px a row's width;"
        + " assumed",
    ]
  }

  private static func ofGenerated(_ list: List) -> [String] {
    guard list.bytes == .generated else { return ["list.bytes: assumed"] }
    return [
      "list.mean_bytes: files have the sizes measured of generated pictures of 320x320 px,"
        + " \(ListContents.pngBits.median) bits a pixel as PNG, \(ListContents.jpegBits.median) as JPEG, besides"
        + " their tables"
    ]
  }

  private static func ofPreviews(_ loader: Loader) -> [String] {
    loader.previews
      ? [
        "loader.previews: of a progressive JPEG once 1/8, 1/4, 1/2 and 3/4 of its bytes are there, of other files from"
          + " their first row on; bytes are looked at each frame, a preview is drawn in no time, and the whole is"
          + " decoded anew when it is there; assumed"
      ]
      : []
  }

  private static func ofOrigin(_ origin: Origin) -> [String] {
    origin.change == nil
      ? []
      : [
        "origin.change_s: the versions of a picture come evenly, from a moment of its own on, each as large as the"
          + " one before; assumed"
      ]
  }

  private static let ofThinking =
    "network.think_ms: 30 ms from Lighthouse's model; its spread assumed, drawn by picture and attempt"

  private static var ofModel: [String] {
    [
      "network: connections share the line equally; slow start from 10 segments (RFC 6928), a window each round trip,"
        + " again after a second of rest (RFC 5681); origin and line buffer nothing",
      "network.loss: bounds the window by Mathis's formula, and holds back a body's last segment for a timeout"
        + " (an approximation)",
      "network.tls: TLS 1.3, one round trip after TCP's, its certificates without bytes; no resumption",
      "network.http 2: streams by urgency (RFC 9218), visible 2, normal 3, prefetch 5, in the order of asking; no"
        + " flow control, no change of urgency on the way",
      "network: what is given up goes on for the round trip until the origin has heard of it; a cancelled transfer"
        + " closes its connection over HTTP/1.1; requests of \(ModelledLine.requestSize) bytes, assumed",
      ofThinking,
      "disk and drawing: take no time",
      "hitch_ms_per_s, late_frames: not known (null). What an app does on its main thread makes frames late, and that is"
        + " the app's; decoding runs beside it, and binding a slot takes microseconds. In real time they are measured",
    ]
  }

  private static func ofDecoding(_ decoding: Decoding) -> String {
    let assumed = Decoding()
    return decoding.png == assumed.png && decoding.jpeg == assumed.jpeg
      ? "decoding: costs assumed after small photographs on one core of a server; cores assumed"
      : "decoding: costs as given; cores assumed"
  }
}
