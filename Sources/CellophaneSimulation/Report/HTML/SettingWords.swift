/// What the settings of a result are, for who does not know their names.
enum SettingWords {
  /// The sections in the order in which they are shown, with what they are about.
  static let sections: [(name: String, about: String)] = [
    ("list", "the rows and their pictures"), ("viewport", "the visible part of the list"),
    ("gesture", "who scrolls, and how the list moves"), ("network", "the line to the origin"),
    ("origin", "what the origin does beside answering"), ("cache", "what is kept"),
    ("loader", "how the loader is used"), ("decoding", "what decoding takes"),
  ]

  /// The settings by their path.
  static let settings = [
    "list.layout": "the kind of list", "list.rows": "how many rows", "list.columns": "rows side by side",
    "list.row_height_px": "height of a row, px", "list.picture": "width and height shown, px",
    "list.image": "width and height of the files, px", "list.pictures": "where the pictures are from",
    "list.height_sigma": "spread of the heights, of their logarithm", "list.section": "what divides the rows",
    "list.repeat": "pictures that come again", "list.bytes": "sizes of the files",
    "list.progressive": "share of JPEG files that are progressive",
    "list.mean_bytes": "mean size of a file, bytes",
    "viewport.w": "width, px", "viewport.h": "height, px", "viewport.hz": "frames a second",
    "viewport.slots": "reused cells",
    "gesture.profile": "who scrolls", "gesture.physics": "motion after the finger has left",
    "gesture.dwell": "rest before a gesture, s", "gesture.flick": "speed at release, px/s",
    "gesture.backward": "share of flicks back up", "gesture.caught": "share of flings that a finger stops",
    "gesture.again": "share of flicks into a moving list", "gesture.jump": "share of jumps to the top",
    "gesture.catch_time": "when a finger stops it, share of a fling",
    "gesture.drag_px": "drag before release, px",
    "gesture.drag_s": "drag before release, s",
    "network.preset": "the line's name", "network.down_kbps": "down, kbit/s", "network.up_kbps": "up, kbit/s",
    "network.rtt_ms": "round trip, ms", "network.loss": "share of segments lost",
    "network.http": "version of HTTP",
    "network.tls": "encrypted", "network.think_ms": "the origin thinks, median, ms",
    "network.think_sigma": "spread of that, of its logarithm",
    "network.drain_bytes": "read to the end when given up, up to, bytes",
    "origin.fail": "share of answers that are errors", "origin.slow_tail": "answers that take longer",
    "origin.revalidate": "share to be asked about each time",
    "origin.change_s": "seconds between two versions of a picture",
    "origin.max_age_s": "seconds an answer may be kept",
    "origin.stale_while_revalidate_s": "seconds more while it is asked about",
    "cache.memory_bytes": "memory cache, bytes", "cache.disk_bytes": "disk cache, bytes",
    "cache.policy": "what memory gives up first",
    "loader.prefetch": "what is loaded ahead",
    "loader.previews": "whether previews are shown",
    "loader.concurrency": "transfers at once, at most",
    "decoding.mode": "how pictures are decoded", "decoding.cores": "pictures decoded at once",
    "decoding.png_ms_per_mpx": "PNG by size, ms per million pixels",
    "decoding.jpeg_ms_per_mpx": "JPEG by size, ms per million pixels",
    "duration_ms": "how long it was scrolled, ms", "replicas": "how often it was played",
    "seed": "what every random draw depends on", "time": "how time passed",
    "events": "what happened beside scrolling",
  ]

  /// The name of a setting with what it is; the name alone of one that has no words.
  static func label(_ name: String, in section: String? = nil) -> String {
    let path = section.map { $0 + "." + name } ?? name
    return settings[path].map { "\(name): \($0)" } ?? name
  }

  /// The settings of the options that can be swept, by the option's name.
  private static let options = [
    "layout": "list.layout", "rows": "list.rows", "row-height": "list.row_height_px",
    "columns": "list.columns", "image": "list.picture", "source": "list.image", "bytes": "list.bytes",
    "repeat": "list.repeat", "profile": "gesture.profile", "physics": "gesture.physics",
    "network": "network.preset", "http": "network.http", "think": "network.think_ms", "fail": "origin.fail",
    "slow-tail": "origin.slow_tail", "revalidate": "origin.revalidate", "hz": "viewport.hz",
    "policy": "cache.policy", "prefetch": "loader.prefetch", "concurrency": "loader.concurrency",
    "progressive": "list.progressive",
    "decode": "decoding.mode",
  ]
  /// Those whose values have their unit in them, or have another than the setting.
  private static let others = [
    "memory": "memory cache", "disk": "disk cache", "duration": "how long it was scrolled",
    "viewport": "the visible part of the list, px",
  ]

  /// The name of an option with what it is and in which unit; the name alone of one that has no words.
  static func option(_ name: String) -> String {
    (others[name] ?? options[name].flatMap { settings[$0] }).map { "\(name) (\($0))" } ?? name
  }

  /// The name of a number that a study makes smaller and larger, with what it is: `gesture.flick.median` is part of a
  /// setting, `gesture.flick`.
  static func scaled(_ name: String) -> String {
    let whole = name.split(separator: ".").prefix(2).joined(separator: ".")
    return (settings[name] ?? settings[whole]).map { "\(name): \($0)" } ?? name
  }
}
