internal import Cellophane
internal import CellophaneTesting

/// What was played, in the units of a result.
public struct PlayedConfiguration: Sendable, Hashable, Codable {
  /// A list.
  public struct List: Sendable, Hashable, Codable {
    /// The number of rows.
    public let rows: Int
    /// In px.
    public let rowHeight: Int
    /// Width and height at which a row shows its picture, in px.
    public let picture: [Int]
    /// Width and height of the generated files, in px; nil for the user's own.
    public let image: [Int]?
    /// The mean size of a generated file; nil for the user's own.
    public let meanBytes: Int?

    private enum CodingKeys: String, CodingKey {
      case rows, picture, image
      case rowHeight = "row_height_px"
      case meanBytes = "mean_bytes"
    }
  }

  /// The visible part.
  public struct Viewport: Sendable, Hashable, Codable {
    /// Width and height in px.
    public let w, h: Int
    /// Frames a second.
    public let hz: Int
    /// Reused cells.
    public let slots: Int
  }

  /// The scrolling.
  public struct Gesture: Sendable, Hashable, Codable {
    /// Who scrolls.
    public let profile: String
    /// How the list moves by itself.
    public let physics: String
    /// In s.
    public let dwell: Lognormal?
    /// At release, in px/s.
    public let flick: Lognormal?
    /// Probabilities per flick.
    public let backward, caught, again, jump: Double?
  }

  /// The line to the origin.
  public struct Network: Sendable, Hashable, Codable {
    /// The name of the profile.
    public let preset: String
    /// Kilobits a second; nil is unlimited.
    public let down, up: Double?
    /// From a request to the first byte of its answer on an idle line, in ms.
    public let roundTrip: Double

    private enum CodingKeys: String, CodingKey {
      case preset
      case down = "down_kbps"
      case up = "up_kbps"
      case roundTrip = "rtt_ms"
    }
  }

  /// The caches.
  public struct Cache: Sendable, Hashable, Codable {
    /// The limits in bytes.
    public let memory, disk: Int
    /// What is evicted first.
    public let policy: String

    private enum CodingKeys: String, CodingKey {
      case policy
      case memory = "memory_bytes"
      case disk = "disk_bytes"
    }
  }

  /// What decoding takes, in virtual time.
  public struct Decoding: Sendable, Hashable, Codable {
    /// Pictures at once.
    public let cores: Int
    /// For a million pixels, in ms.
    public let png, jpeg: Double

    private enum CodingKeys: String, CodingKey {
      case cores
      case png = "png_ms_per_mpx"
      case jpeg = "jpeg_ms_per_mpx"
    }
  }

  /// The list.
  public let list: List
  /// The visible part.
  public let viewport: Viewport
  /// The scrolling.
  public let gesture: Gesture
  /// The line to the embedded origin; nil when the pictures came from elsewhere.
  public let network: Network?
  /// The caches.
  public let cache: Cache
  /// What decoding takes; nil where pictures are really decoded.
  public let decoding: Decoding?
  /// Rows prefetched beyond the visible ones.
  public let rowsAhead: Int
  /// How long each loader was measured, in ms.
  public let duration: Double
  /// What every random draw depends on.
  public let seed: UInt64
  /// The numbers behind the gestures, and where they come from.
  public let assumptions: [String]

  private enum CodingKeys: String, CodingKey {
    case list, viewport, gesture, network, cache, decoding, seed, assumptions
    case rowsAhead = "rows_ahead"
    case duration = "duration_ms"
  }
}

extension PlayedConfiguration {
  init(_ configuration: SimulationConfiguration, layout: ListLayout, meanBytes: Int?) {
    let isGenerated = configuration.urls == nil
    list = List(
      rows: layout.rows, rowHeight: layout.rowHeight, picture: [layout.picture.width, layout.picture.height],
      image: isGenerated ? [configuration.source.width, configuration.source.height] : nil,
      meanBytes: meanBytes)
    viewport = Viewport(
      w: layout.viewport.width, h: layout.viewport.height, hz: configuration.refreshRate,
      slots: layout.slots)
    let gestures = configuration.profile.gestures
    gesture = Gesture(
      profile: configuration.profile.name, physics: configuration.physics.rawValue,
      dwell: gestures?.dwell, flick: gestures?.flick, backward: gestures?.backward,
      caught: gestures?.caught, again: gestures?.again, jump: gestures?.jump)
    let line = configuration.network
    network =
      isGenerated
      ? Network(
        preset: line.name, down: line.downBitsPerSecond.map { Double($0) / 1000 },
        up: line.upBitsPerSecond.map { Double($0) / 1000 }, roundTrip: line.roundTrip.milliseconds) : nil
    cache = Cache(memory: configuration.memoryBytes, disk: configuration.diskBytes, policy: "lru")
    let costs = ModelledDecoder.Costs()
    decoding =
      configuration.time == .virtual
      ? Decoding(cores: costs.cores, png: costs.png, jpeg: costs.jpeg) : nil
    rowsAhead = configuration.rowsAhead
    duration = configuration.duration.milliseconds
    seed = configuration.seed
    assumptions = Self.assumptions(of: configuration)
  }

  private static func assumptions(of configuration: SimulationConfiguration) -> [String] {
    let always = [
      "gesture.dwell: 1.7 s of reader from Facebook (2016), the others assumed",
      "gesture.flick: 50...8000 px/s from Android, 7000 px/s of stress from FlashList, the others assumed",
      "gesture.backward, caught, again, jump: assumed",
      "at rest: slower than 50 px/s, assumed",
      "row noticed: on the screen for 100 ms or longer (Nielsen, 1993)",
      "one replica: no confidence interval",
    ]
    switch configuration.time {
    case .virtual: return always + ofModel
    case .real where configuration.urls == nil:
      return always + ["network: one token bucket for all connections, no slow start, no loss"]
    case .real: return always
    }
  }

  private static var ofModel: [String] {
    [
      "network: flows share the line max-min fairly; slow start from 10 segments (RFC 6928), again after 1 s of"
        + " rest (RFC 5681); no loss",
      "network: HTTP/1.1 with a TCP handshake of one round trip and no TLS; a cancelled transfer closes its"
        + " connection; the origin answers at once; requests of \(FlowTransport.requestSize) bytes, assumed",
      "list.mean_bytes: files have the sizes measured of generated pictures of 320x320 px,"
        + " \(ModelledPictures.pngBits.median) bits a pixel as PNG, \(ModelledPictures.jpegBits.median) as JPEG",
      "decoding: costs assumed after small photographs on one core of a server; cores assumed",
      "disk and drawing: take no time; frames are never late",
    ]
  }
}
