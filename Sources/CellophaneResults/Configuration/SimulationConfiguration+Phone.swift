internal import Cellophane
internal import CellophaneNetwork

extension SimulationConfiguration {
  /// An ordinary current phone in virtual time: the default scenario of the tool.
  ///
  /// The phone has Android, a dense screen, the network `phone-p50`, HTTP/2, the file sizes of JPEGs on the web, and the
  /// memory cache of the suite v2. Fields that a scenario file omits have the values of ``init(time:)`` instead. These
  /// never change, so that a file keeps its meaning.
  public static var phone: SimulationConfiguration {
    var phone = SimulationConfiguration(time: .virtual)
    phone.list.bytes = .web(.jpeg)
    // That of a Pixel; iPhones have 2 or 3.
    phone.viewport.density = 2.625
    phone.gesture.physics = .android
    phone.network.profile = NetworkProfile.presets.first { $0.name == "phone-p50" } ?? .unlimited
    phone.network.http = .http2
    // 64 MiB: at this density, the default of a scenario file holds no image of the default list. An image may take an
    // eighth of the cache.
    phone.cache.memoryBytes = 64 << 20
    return phone
  }

  /// Returns the scenario of the tool without a scenario file or options: ``phone`` in virtual time. In real time it is
  /// that of ``init(time:)``, because the shaped sockets have neither HTTP/2 nor rates that vary.
  package static func toolDefaults(in time: Time) -> SimulationConfiguration {
    time == .virtual ? .phone : SimulationConfiguration(time: time)
  }
}
