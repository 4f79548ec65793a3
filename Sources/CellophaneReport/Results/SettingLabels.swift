/// Descriptions of the settings of a result.
enum SettingLabels {
  /// The sections with their subjects, in the order of the page.
  static let sections: [(name: String, about: String)] = [
    ("list", "rows and images"), ("viewport", "visible part of the list"),
    ("gesture", "gestures and motion of the list"), ("network", "network to the origin"),
    ("origin", "failures, delays and freshness"), ("cache", "sizes and eviction"),
    ("loader", "settings of the loader"), ("decoding", "decoding times"),
  ]

  /// The descriptions of the settings, by path.
  static let settings = [
    "list.layout": "kind of list", "list.rows": "number of rows", "list.columns": "rows side by side",
    "list.row_height_px": "row height, px", "list.picture": "shown width and height, px",
    "list.image": "width and height of the files, px", "list.pictures": "source of the images",
    "list.height_sigma": "σ of the logarithm of the heights", "list.section": "headings between the rows",
    "list.repeat": "images shared by several rows", "list.bytes": "file sizes",
    "list.progressive": "share of progressive JPEG files", "list.animated": "share of animations",
    "list.mean_bytes": "mean size of the files that the first replica can load, bytes",
    "viewport.w": "width, px", "viewport.h": "height, px", "viewport.hz": "frames per second",
    "viewport.density": "device pixels per px",
    "viewport.slots": "number of reused cells",
    "gesture.profile": "scroll profile", "gesture.physics": "motion after the finger is lifted",
    "gesture.dwell": "pause before a gesture, s", "gesture.flick": "velocity at release, px/s",
    "gesture.backward": "share of flicks towards the top",
    "gesture.caught": "share of flicks that a finger stops",
    "gesture.again": "share of flicks without a rest before", "gesture.jump": "share of jumps to the top",
    "gesture.catch_time": "time of the next touch, share of a fling on iOS",
    "gesture.drag_px": "drag before release, px",
    "gesture.drag_s": "drag before release, s",
    "network.preset": "network preset", "network.down_kbps": "download rate, kbit/s",
    "network.up_kbps": "upload rate, kbit/s",
    "network.rtt_ms": "round-trip time, ms", "network.loss": "share of lost segments",
    "network.queue": "buffer in front of the bottleneck, ms or CoDel",
    "network.wake_ms": "delay of a radio that was idle, ms",
    "network.sleep_ms": "idle time until the radio disconnects, ms",
    "network.trace": "rates of a trace", "network.http": "HTTP version",
    "network.tls": "connections use TLS 1.3", "network.think_ms": "processing time of the origin, median, ms",
    "network.think_sigma": "σ of the logarithm of the processing time",
    "network.drain_bytes": "rest that a cancelled transfer reads, limit in bytes",
    "network.origins": "hosts of the images",
    "network.warm": "sessions of an earlier run are resumed",
    "network.idle_restart": "congestion window after idleness",
    "origin.fail": "share of 503 responses", "origin.slow_tail": "delayed responses",
    "origin.revalidate": "share revalidated at each use",
    "origin.change_s": "time between two versions of an image, s",
    "origin.max_age_s": "max-age, s",
    "origin.stale_while_revalidate_s": "stale-while-revalidate, s",
    "cache.memory_bytes": "memory cache, bytes", "cache.disk_bytes": "disk cache, bytes",
    "cache.policy": "eviction policy of the memory cache",
    "loader.name": "loader under test", "loader.prefetch": "prefetch policy",
    "loader.previews": "slots show partial images",
    "loader.concurrency": "maximum of simultaneous transfers",
    "decoding.mode": "modeled or real decoding", "decoding.cores": "simultaneous decodings",
    "decoding.png_ms_per_mpx": "PNG by size, ms per million pixels",
    "decoding.jpeg_ms_per_mpx": "JPEG by size, ms per million pixels",
    "duration_ms": "scrolled time, ms", "replicas": "number of runs",
    "foresight": "planners with limited foresight are computed",
    "seed": "seed of all random draws", "time": "virtual or real time",
    "events": "events other than scrolling",
  ]

  /// Returns the name and the description of a setting, or the name alone if it has no description.
  static func label(_ name: String, in section: String? = nil) -> String {
    let path = section.map { $0 + "." + name } ?? name
    return settings[path].map { "\(name): \($0)" } ?? name
  }

  /// The paths of the settings that a sweep can change, by the name of the option.
  private static let options = [
    "layout": "list.layout", "rows": "list.rows", "row-height": "list.row_height_px",
    "columns": "list.columns", "image": "list.picture", "source": "list.image", "bytes": "list.bytes",
    "repeat": "list.repeat", "profile": "gesture.profile", "physics": "gesture.physics",
    "network": "network.preset", "http": "network.http", "origins": "network.origins",
    "think": "network.think_ms", "fail": "origin.fail",
    "slow-tail": "origin.slow_tail", "revalidate": "origin.revalidate", "hz": "viewport.hz",
    "density": "viewport.density",
    "loader": "loader.name", "policy": "cache.policy", "prefetch": "loader.prefetch",
    "concurrency": "loader.concurrency",
    "progressive": "list.progressive", "animated": "list.animated",
    "decode": "decoding.mode",
  ]
  /// Descriptions of the options whose unit differs from the unit of the setting.
  private static let others = [
    "memory": "memory cache", "disk": "disk cache", "duration": "scrolled time",
    "viewport": "visible part of the list, px",
  ]

  /// Returns the name of an option with its description and unit, or the name alone if it has no description.
  static func option(_ name: String) -> String {
    (others[name] ?? options[name].flatMap { settings[$0] }).map { "\(name) (\($0))" } ?? name
  }

  /// The descriptions of the scaled parameters that are parts of a setting.
  private static let parameters = [
    "gesture.dwell.median": "pause before a gesture, median, s",
    "gesture.dwell.sigma": "σ of the logarithm of the pauses",
    "gesture.flick.median": "velocity at release, median, px/s",
    "gesture.flick.sigma": "σ of the logarithm of the velocities",
  ]

  /// Returns the description of a parameter of a sensitivity study; nil for an unknown one.
  static func words(ofScaled name: String) -> String? { parameters[name] ?? settings[name] }

  /// Returns the name and the description of a parameter of a sensitivity study, or the name alone if it is
  /// unknown.
  static func scaled(_ name: String) -> String { words(ofScaled: name).map { "\(name): \($0)" } ?? name }
}
