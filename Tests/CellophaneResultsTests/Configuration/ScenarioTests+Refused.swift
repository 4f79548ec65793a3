extension ScenarioTests {
  /// Scenarios that cannot be read, and the start of the error message.
  static let malformed: [(String, String)] = [
    (#"{"rows":3}"#, "rows: unknown field; the fields are time, list, "),
    (#"{"list":{"rowz":3}}"#, "list.rowz: unknown field; the fields are layout, "),
    (
      #"{"gesture":{"flick":{"mean":3}}}"#,
      "gesture.flick.mean: unknown field; the fields are median, sigma"
    ),
    (#"{"list":[]}"#, "list: must be an object"), (#"{"list":7}"#, "list: must be an object"),
    (#"[]"#, "the scenario must be an object"), (#"3"#, "the scenario must be an object"),
    (#"{"gesture":{"flick":3}}"#, "gesture.flick: must be an object; its fields are median, sigma"),
    (#"{"network":"lh-3g"}"#, "network: must be an object; its fields are preset, "),
    (#"{"gesture":{"flick":{"median":"fast"}}}"#, "gesture.flick.median: must be a number"),
    (#"{"list":{"rows":"many"}}"#, "list.rows: must be a whole number"),
    (#"{"list":{"rows":1.5}}"#, "list.rows: must be a whole number"),
    (#"{"list":{"rows":1e300}}"#, "list.rows: must be a whole number"),
    (#"{"seed":-1}"#, "seed: must be a whole number, 0 or greater"),
    (#"{"list":{"image":[320,"x"]}}"#, "list.image[1]: must be a list of whole numbers"),
    (#"{"list":{"image":[320]}}"#, "list.image: must be a width and a height, [WIDTH, HEIGHT]"),
    (#"{"list":{"pictures":"mine"}}"#, "list.pictures: unknown value 'mine'; use one of generated, own"),
    (#"{"list":{"layout":"heap"}}"#, "list.layout: unknown value 'heap'; use one of rows, "),
    (
      #"{"list":{"bytes":{"dist":"even"}}}"#,
      "list.bytes.dist: unknown value 'even'; use one of lognormal, bpp, jpeg, webp, avif"
    ),
    (#"{"list":{"bytes":{"dist":"lognormal"}}}"#, "list.bytes.median: is missing"),
    (
      #"{"list":{"bytes":{"dist":"avif","sigma":0.5}}}"#,
      "list.bytes.sigma: is published for avif; leave it out, or use bpp"
    ),
    (#"{"list":{"repeat":{"K":3}}}"#, "list.repeat.K: unknown field; the fields are exponent, pictures"),
    (#"{"gesture":{"profile":"fast"}}"#, "gesture.profile: unknown scroll profile 'fast'"),
    (#"{"gesture":{"physics":"moon"}}"#, "gesture.physics: unknown value 'moon'; use one of ios, "),
    (#"{"gesture":{"catch_time":[0.9,0.1]}}"#, "gesture.catch_time: must be a range"),
    (
      #"{"gesture":{"profile":"constant:5","jump":0.5}}"#,
      "gesture.jump: the profile constant:5 has no gestures"
    ),
    (#"{"network":{"preset":"fast"}}"#, "network.preset: unknown network 'fast'; did you mean dt-fast4g or "),
    (#"{"network":{"rtt_ms":-1}}"#, "network.rtt_ms: 'rtt=-1.0' of the network is not"),
    (#"{"network":{"down_kbps":0}}"#, "network.down_kbps: 'down=0.0' of the network is not"),
    (#"{"network":{"loss":0.6}}"#, "network.loss: 'loss=0.6' of the network is not a share"),
    (#"{"network":{"queue":0}}"#, "network.queue: 'queue=0.0' of the network is not"),
    (#"{"network":{"queue":60001}}"#, "network.queue: 'queue=60001.0' of the network is not"),
    (#"{"network":{"queue":"red"}}"#, "network.queue: 'queue=red' of the network is not"),
    (#"{"network":{"queue":true}}"#, "network.queue: must be a number"),
    (#"{"network":{"wake_ms":-1}}"#, "network.wake_ms: 'wake=-1.0' of the network is not"),
    (#"{"network":{"wake_ms":9,"sleep_ms":0}}"#, "network.sleep_ms: 'sleep=0.0' of the network is not"),
    (#"{"network":{"sleep_ms":9}}"#, "network.sleep_ms: sleep= of the network"),
    (#"{"network":{"http":"h2"}}"#, "network.http: unknown version 'h2'; use one of 1, 2, 2-fifo, "),
    (#"{"network":{"http":4}}"#, "network.http: unknown version '4'; use one of 1, 2, 2-fifo, "),
    (#"{"network":{"http":true}}"#, "network.http: must be a version, such as 1"),
    (
      #"{"network":{"idle_restart":"soon"}}"#,
      "network.idle_restart: unknown value 'soon'; use one of reset, "
    ),
    (#"{"network":{"trace":[1]}}"#, "network.trace: must be an object; its fields are interval_ms, "),
    (#"{"network":{"trace":{}}}"#, "network.trace.kbps: is missing"),
    (#"{"network":{"trace":{"kbps":[]}}}"#, "network.trace.kbps: must have a rate above 0"),
    (#"{"network":{"trace":{"kbps":[0,0]}}}"#, "network.trace.kbps: must have a rate above 0"),
    (#"{"network":{"trace":{"kbps":[1,-1]}}}"#, "network.trace.kbps: each rate must be from 0 to 1"),
    (#"{"network":{"trace":{"kbps":[1e9]}}}"#, "network.trace.kbps: each rate must be from 0 to 1"),
    (
      #"{"network":{"trace":{"interval_ms":0,"kbps":[1]}}}"#,
      "network.trace.interval_ms: must be from 1 to 86400000"
    ),
    (
      #"{"network":{"trace":{"period_ms":1000,"kbps":[1,1]}}}"#,
      "network.trace.period_ms: must be longer than all"
    ),
    (
      #"{"network":{"trace":{"interval_ms":8e7,"kbps":[1,1]}}}"#,
      "network.trace.period_ms: must be longer than all"
    ),
    (#"{"decoding":{"mode":"fast"}}"#, "decoding.mode: unknown value 'fast'; use one of model, real"),
    (#"{"decoding":{"png_ms_per_mpx":3}}"#, "decoding.png_ms_per_mpx: must be a list of numbers"),
    (#"{"network":{"tls":1}}"#, "network.tls: must be true or false"),
    (#"{"foresight":1}"#, "foresight: must be true or false"),
    (#"{"origin":{"fail":"often"}}"#, "origin.fail: must be a number"),
    (#"{"origin":{"slow_tail":{"beta":1}}}"#, "origin.slow_tail.beta: unknown field"),
    (#"{"events":{}}"#, "events: must be a list of objects"),
    (#"{"events":[7]}"#, "events[0]: must be an object"),
    (
      #"{"events":[{"at_s":1,"kind":"memory_warning"},{"at_s":1,"kind":"flood"}]}"#,
      "events[1].kind: unknown value 'flood'"
    ),
    (
      #"{"events":[{"at_s":-1,"kind":"memory_warning"}]}"#,
      "events[0].at_s: must be from 0 to 86400, not -1.0"
    ),
    (#"{"events":[{"kind":"memory_warning"}]}"#, "events[0].at_s: is missing"),
    (#"{"events":[{"at_s":1}]}"#, "events[0].kind: is missing"),
    (#"{"cache":{"policy":"best"}}"#, "cache.policy: unknown value 'best'; use one of lru, "),
    (#"{"loader":{"prefetch":8}}"#, "loader.prefetch: must be a string"),
    (#"{"loader":{"prefetch":"all"}}"#, "loader.prefetch: unknown prefetch policy 'all'"),
    (#"{"duration_ms":1e18}"#, "duration_ms: must be from 100 to 86400000, not 1e+18"),
    (#"{"duration_ms":-1}"#, "duration_ms: must be from 100 to 86400000, not -1"),
    (#"{"time":"imaginary"}"#, "time: unknown value 'imaginary'; use one of virtual, real"),
    (#"{"seed":1"#, "the scenario is not JSON"), ("", "the scenario is not JSON"),
  ]

  /// Scenarios that cannot be played, and the start of the error message.
  static let outOfRange: [(String, String)] = [
    (#"{"list":{"rows":0}}"#, "list.rows: must be from 1 to "),
    (
      #"{"list":{"picture":[112,121]}}"#,
      "list.picture[1]: an image of 121 px does not fit a row of 120 px; raise list.row_height_px (--row-height), or"
    ),
    (#"{"list":{"picture":[0,0]}}"#, "list.picture[0]: must be from 1 to 16384, not 0"),
    (#"{"list":{"image":[8,320]}}"#, "list.image[0]: must be from 16 to 2048, not 8"),
    (#"{"list":{"image":[2000,16]}}"#, "list.picture: generated images of 2000x16"),
    (#"{"list":{"row_height_px":1,"picture":[112,1]}}"#, "list.picture: "),
    (#"{"list":{"columns":17}}"#, "list.columns: must be from 1 to 16, not 17"),
    (#"{"list":{"height_sigma":2}}"#, "list.height_sigma: must be from 0 to 1, not 2.0"),
    (#"{"list":{"layout":"mixed","rows":2000000}}"#, "list.rows: must be from 1 to 1000000, not 2000000"),
    (#"{"list":{"height_sigma":0.1,"picture":[24,24]}}"#, "list.picture: generated images"),
    (#"{"list":{"section":{"rows":0}}}"#, "list.section.rows: must be from "),
    (#"{"list":{"section":{"header_px":0}}}"#, "list.section.header_px: must be from 1 to 16384, not 0"),
    (#"{"list":{"repeat":{"pictures":0}}}"#, "list.repeat.pictures: must be from 1 to 1000000, not 0"),
    (#"{"list":{"bytes":{"median":50}}}"#, "list.bytes.median: must be from 0.01 to 48, not 50.0"),
    (#"{"list":{"bytes":{"dist":"lognormal","median":0.5}}}"#, "list.bytes.median: must be from 1 to 1"),
    (#"{"time":"real","list":{"bytes":{}}}"#, "list.bytes: files with pixels have their actual sizes"),
    (#"{"decoding":{"mode":"real"},"list":{"bytes":{}}}"#, "list.bytes: files with pixels have their actual"),
    (#"{"viewport":{"w":-3}}"#, "viewport.w: must be from 1 to 16384, not -3"),
    (#"{"viewport":{"density":0.5}}"#, "viewport.density: must be from 0.75 to 4, not 0.5"),
    (#"{"viewport":{"density":1e300}}"#, "viewport.density: must be from 0.75 to 4, not 1e+300"),
    (
      #"{"viewport":{"density":4,"w":-3},"list":{"picture":[9000000000000000000,112]}}"#,
      "list.picture[0]: must"
    ),
    (#"{"viewport":{"hz":241}}"#, "viewport.hz: must be from 1 to 240, not 241"),
    (#"{"gesture":{"flick":{"median":-5}}}"#, "gesture.flick.median: must be from 0 to 100000, not -5.0"),
    (#"{"gesture":{"dwell":{"sigma":50}}}"#, "gesture.dwell.sigma: must be from 0 to 5, not 50.0"),
    (#"{"gesture":{"again":1.5}}"#, "gesture.again: must be from 0 to 1, not 1.5"),
    (#"{"gesture":{"catch_time":[0.5,2]}}"#, "gesture.catch_time[1]: must be from 0 to 1, not 2.0"),
    (#"{"gesture":{"drag_s":0}}"#, "gesture.drag_s: must be from 0.004 to 60, not 0.0"),
    (#"{"network":{"think_ms":60001}}"#, "network.think_ms: must be from 0 to 60000, not 60001.0"),
    (#"{"network":{"think_sigma":-1}}"#, "network.think_sigma: must be from 0 to 5, not -1.0"),
    (#"{"network":{"drain_bytes":-1}}"#, "network.drain_bytes: must be from "),
    (#"{"time":"real","network":{"http":2}}"#, "network.http: in real time the embedded origin speaks"),
    (#"{"network":{"origins":0}}"#, "network.origins: must be from 1 to 64, not 0"),
    (#"{"network":{"origins":65}}"#, "network.origins: must be from 1 to 64, not 65"),
    (#"{"network":{"preset":"unlimited","queue":9}}"#, "network.queue: nothing waits for a link"),
    (#"{"time":"real","network":{"queue":"codel"}}"#, "network.queue: in real time the embedded origin"),
    (#"{"time":"real","network":{"wake_ms":9}}"#, "network.wake_ms: in real time loopback has no radio"),
    (#"{"time":"real","network":{"origins":2}}"#, "network.origins: in real time there is one"),
    (#"{"network":{"http":3,"tls":false}}"#, "network.tls: HTTP/3 contains TLS 1.3; use true"),
    (#"{"network":{"http":2,"warm":true}}"#, "network.warm: changes HTTP/3 only"),
    (#"{"network":{"preset":"trace:a.down"}}"#, "network.preset: the trace a.down has not been read"),
    (
      #"{"time":"real","network":{"trace":{"kbps":[1]}}}"#,
      "network.preset: in real time the embedded origin has a"
    ),
    (#"{"time":"real","network":{"drain_bytes":1}}"#, "network.drain_bytes: in real time libcurl closes"),
    (
      #"{"time":"real","network":{"idle_restart":"never"}}"#,
      "network.idle_restart: in real time the embedded origin resets"
    ),
    (#"{"gesture":{"profile":"log:a.csv"}}"#, "gesture.profile: the log a.csv has not been read"),
    (#"{"origin":{"fail":1.5}}"#, "origin.fail: must be from 0 to 1, not 1.5"),
    (#"{"origin":{"revalidate":-1}}"#, "origin.revalidate: must be from 0 to 1, not -1.0"),
    (#"{"origin":{"slow_tail":{"alpha":0}}}"#, "origin.slow_tail.alpha: must be from 0.1 to 100, not 0.0"),
    (#"{"origin":{"slow_tail":{"share":2}}}"#, "origin.slow_tail.share: must be from 0 to 1, not 2.0"),
    (#"{"loader":{"concurrency":0}}"#, "loader.concurrency: must be from 1 to 64, not 0"),
    (#"{"loader":{"concurrency":65}}"#, "loader.concurrency: must be from 1 to 64, not 65"),
    (#"{"list":{"animated":-1}}"#, "list.animated: must be from 0 to 1, not -1.0"),
    (#"{"time":"real","list":{"animated":1}}"#, "list.animated: files with pixels are not animated"),
    (#"{"list":{"progressive":2}}"#, "list.progressive: must be from 0 to 1, not 2.0"),
    (#"{"time":"real","list":{"progressive":1}}"#, "list.progressive: files with pixels are not progressive"),
    (
      #"{"decoding":{"mode":"real"},"loader":{"previews":true}}"#,
      "loader.previews: in virtual time previews are modeled"
    ),
    (#"{"origin":{"change_s":0}}"#, "origin.change_s: must be from 0.1 to 86400, not 0.0"),
    (#"{"origin":{"max_age_s":-1}}"#, "origin.max_age_s: must be from 0 to 86400, not -1"),
    (
      #"{"origin":{"stale_while_revalidate_s":-1}}"#,
      "origin.stale_while_revalidate_s: must be from 0 to 86400, not -1"
    ),
    (#"{"time":"real","origin":{"change_s":5}}"#, "origin.change_s: pixels do not show the version"),
    (#"{"decoding":{"mode":"real"},"origin":{"change_s":5}}"#, "origin.change_s: pixels do not show"),
    (
      #"{"gesture":{"profile":"log:a.csv"},"events":[{"at_s":1,"kind":"rotation"}]}"#,
      "gesture.profile: the log a.csv has not been read"
    ),
    (
      #"{"list":{"row_height_px":9000,"picture":[9000,9000]},"events":[{"at_s":1,"kind":"rotation"}]}"#,
      "events[0].kind: the list does not fit the rotated screen: list.row_height_px: "
    ),
    (#"{"cache":{"memory_bytes":-1}}"#, "cache.memory_bytes: must be from 0 to 9223372036854775807, not -1"),
    (#"{"decoding":{"cores":0}}"#, "decoding.cores: must be from 1 to 256, not 0"),
    (#"{"decoding":{"png_ms_per_mpx":[1,2,3]}}"#, "decoding.png_ms_per_mpx: must be four numbers"),
    (
      #"{"decoding":{"jpeg_ms_per_mpx":[1,2,3,-4]}}"#,
      "decoding.jpeg_ms_per_mpx[3]: must be from 0 to 60000, not -4.0"
    ),
    (#"{"time":"real","network":{"loss":0.1}}"#, "network.loss: in real time loopback loses no segments"),
    (#"{"duration_ms":5}"#, "duration_ms: must be from 100 to 86400000, not 5.0"),
    (
      #"{"foresight":true,"duration_ms":60001}"#,
      "foresight: needs a duration of at most one minute; shorten duration_ms (--duration)"
    ),
    (#"{"replicas":0}"#, "replicas: must be from 1 to 1000, not 0"),
  ]

  /// The scenarios of both lists with a wrong combination of two fields, or of a field and a file.
  static let combinations: Set<String> = [
    #"{"foresight":true,"duration_ms":60001}"#,
    #"{"time":"real","list":{"animated":1}}"#, #"{"time":"real","list":{"progressive":1}}"#,
    #"{"decoding":{"mode":"real"},"loader":{"previews":true}}"#,
    #"{"time":"real","origin":{"change_s":5}}"#, #"{"decoding":{"mode":"real"},"origin":{"change_s":5}}"#,
    #"{"list":{"picture":[112,121]}}"#, #"{"list":{"image":[2000,16]}}"#,
    #"{"network":{"preset":"unlimited","queue":9}}"#, #"{"time":"real","network":{"queue":"codel"}}"#,
    #"{"network":{"sleep_ms":9}}"#, #"{"time":"real","network":{"wake_ms":9}}"#,
    #"{"time":"real","network":{"origins":2}}"#,
    #"{"network":{"http":3,"tls":false}}"#, #"{"network":{"http":2,"warm":true}}"#,
    #"{"time":"real","network":{"idle_restart":"never"}}"#,
    #"{"time":"real","network":{"http":2}}"#, #"{"time":"real","network":{"drain_bytes":1}}"#,
    #"{"gesture":{"profile":"log:a.csv"},"events":[{"at_s":1,"kind":"rotation"}]}"#,
    #"{"list":{"row_height_px":9000,"picture":[9000,9000]},"events":[{"at_s":1,"kind":"rotation"}]}"#,
    #"{"time":"real","network":{"loss":0.1}}"#, #"{"decoding":{"mode":"real"},"list":{"bytes":{}}}"#,
    #"{"list":{"row_height_px":1,"picture":[112,1]}}"#, #"{"list":{"layout":"mixed","rows":2000000}}"#,
    #"{"list":{"bytes":{"dist":"lognormal"}}}"#, #"{"list":{"bytes":{"median":50}}}"#,
    #"{"list":{"bytes":{"dist":"avif","sigma":0.5}}}"#,
    #"{"list":{"bytes":{"dist":"lognormal","median":0.5}}}"#, #"{"time":"real","list":{"bytes":{}}}"#,
    #"{"list":{"height_sigma":0.1,"picture":[24,24]}}"#, #"{"gesture":{"catch_time":[0.9,0.1]}}"#,
    #"{"gesture":{"profile":"constant:5","jump":0.5}}"#, #"{"gesture":{"profile":"log:a.csv"}}"#,
    #"{"network":{"trace":{}}}"#, #"{"network":{"trace":{"kbps":[0,0]}}}"#,
    #"{"network":{"trace":{"period_ms":1000,"kbps":[1,1]}}}"#,
    #"{"network":{"trace":{"interval_ms":8e7,"kbps":[1,1]}}}"#,
    #"{"network":{"preset":"trace:a.down"}}"#, #"{"time":"real","network":{"trace":{"kbps":[1]}}}"#,
  ]
}
