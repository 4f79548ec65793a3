internal import Cellophane
internal import CellophaneNetwork

/// A parameter of the gestures, of the network or of the files that a study scales. Most of these parameters
/// are assumptions.
struct ScaledParameter: Sendable {
  let name: String
  private let scale: @Sendable (inout SimulationConfiguration, Double) -> Void

  /// Returns `base` with this parameter multiplied by `factor`, or nil if that changes nothing: the parameter
  /// is missing or 0, or it is at its limit.
  func scaled(_ base: SimulationConfiguration, by factor: Double) -> SimulationConfiguration? {
    var configuration = base
    scale(&configuration, factor)
    return configuration == base ? nil : configuration
  }

  private init(_ name: String, _ scale: @escaping @Sendable (inout SimulationConfiguration, Double) -> Void) {
    self.name = name
    self.scale = scale
  }

  private init(
    gesture name: String, limit: Double = .infinity,
    _ path: any WritableKeyPath<GestureParameters, Double> & Sendable
  ) {
    self.init("gesture." + name) { configuration, factor in
      guard let value = configuration.gesture.parameters?[keyPath: path] else { return }
      configuration.gesture.parameters?[keyPath: path] = min(value * factor, limit)
    }
  }

  /// The download rate.
  static let downRate = ScaledParameter("network.down_kbps") { configuration, factor in
    configuration.network.profile.scale(down: factor)
  }
  /// The round trip.
  static let roundTrip = ScaledParameter("network.rtt_ms") { configuration, factor in
    configuration.network.profile.scale(roundTrip: factor)
  }
  /// The sizes of the image files.
  static let fileSizes = ScaledParameter("list.bytes") { configuration, factor in
    let image = configuration.list.image
    configuration.list.bytes = configuration.list.bytes.scaled(by: factor, pixels: image.width * image.height)
    if case .listed(let rows) = configuration.list.pictures {
      configuration.list.pictures = .listed(rows.scalingBytes(by: factor))
    }
  }

  /// The parameters of a sensitivity study, named by their paths in a scenario.
  static let all: [ScaledParameter] = [
    ScaledParameter(gesture: "dwell.median", \.dwell.median),
    ScaledParameter(gesture: "dwell.sigma", \.dwell.sigma),
    ScaledParameter(gesture: "flick.median", \.flick.median),
    ScaledParameter(gesture: "flick.sigma", \.flick.sigma),
    ScaledParameter(gesture: "backward", limit: 1, \.backward),
    ScaledParameter(gesture: "caught", limit: 1, \.caught),
    ScaledParameter(gesture: "again", limit: 1, \.again), ScaledParameter(gesture: "jump", limit: 1, \.jump),
    ScaledParameter("gesture.catch_time") { configuration, factor in
      guard let times = configuration.gesture.parameters?.catchTime else { return }
      configuration.gesture.parameters?.catchTime =
        min(times.lowerBound * factor, 1)...min(times.upperBound * factor, 1)
    },
    ScaledParameter(gesture: "drag_px", \.drag), ScaledParameter(gesture: "drag_s", \.dragTime),
    downRate,
    ScaledParameter("network.up_kbps") { configuration, factor in
      configuration.network.profile.scale(up: factor)
    },
    roundTrip,
    ScaledParameter("network.loss") { configuration, factor in
      configuration.network.profile.scale(loss: factor)
    },
    ScaledParameter("network.think_ms") { configuration, factor in
      configuration.network.think = .roundedSeconds(configuration.network.think.seconds * factor)
    },
    ScaledParameter("network.think_sigma") { $0.network.thinkSigma *= $1 },
  ]
}

extension NetworkProfile {
  /// Multiplies the rates, the round trip and the loss by factors.
  fileprivate mutating func scale(
    down: Double = 1, up: Double = 1, roundTrip: Double = 1, loss: Double = 1
  ) {
    guard down != 1 || up != 1 || roundTrip != 1 || loss != 1 else { return }
    func scaled(_ rate: Int?, _ factor: Double) -> Int? {
      rate.map { factor == 1 ? $0 : max(1, Int((Double($0) * factor).rounded())) }
    }
    downBitsPerSecond = scaled(downBitsPerSecond, down)
    upBitsPerSecond = scaled(upBitsPerSecond, up)
    if roundTrip != 1 { self.roundTrip = .roundedSeconds(self.roundTrip.seconds * roundTrip) }
    // Below 1: a link that loses every segment delivers nothing.
    self.loss = min(self.loss * loss, 0.99)
  }
}
