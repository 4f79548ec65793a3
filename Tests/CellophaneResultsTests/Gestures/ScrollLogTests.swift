import Cellophane
import Testing

@testable import CellophaneResults

@Suite struct ScrollLogTests {
  static func read(_ csv: String) throws(LoadError) -> ScrollLog {
    try ScrollLog(name: "a.csv", csv: Array(csv.utf8))
  }

  @Test(arguments: [
    "0,0\n100,50\n300,50\n400,0\n", "t_ms,offset_px\r\n0,0\r\n100,50\r\n300,50\r\n400,0",
    // Unix times, two samples at the same time, and an empty line.
    "1700000000000,0\n1700000000100,7\n1700000000100,50\n\n1700000000300,50\n1700000000400,0",
  ])
  func `the list moves evenly between two samples`(csv: String) throws {
    let log = try Self.read(csv)
    #expect(log.duration == .milliseconds(400))
    let expected = [
      (-5, 0.0, 500.0), (0, 0, 500), (50, 25, 500), (99, 49.5, 500), (100, 50, 0), (200, 50, 0),
      (300, 50, -500),
      (350, 25, -500), (400, 0, 0), (9_000, 0, 0),
    ]
    for (time, offset, velocity) in expected {
      #expect(abs(log.offset(at: .milliseconds(time)) - offset) < 1e-9, "at \(time) ms")
      #expect(abs(log.velocity(at: .milliseconds(time), limit: 1_000) - velocity) < 1e-6, "at \(time) ms")
    }
  }

  @Test func `a list plays a log within its ends, in multiples of 1/64 px, under every seed`() throws {
    let log = try Self.read("0,-30\n100,10.3\n200,90\n300,40")
    let runs = [1, 2].map {
      ScrollTrajectory(
        profile: .log(log), physics: .ios, limit: 50, seed: $0, lasting: .milliseconds(400))
    }
    #expect(runs[0] == runs[1])
    let times = (0...500).map { Duration.milliseconds($0) }
    let offsets = times.map { runs[0].offset(at: $0) }
    #expect(offsets.allSatisfy { (0...50).contains($0) && ($0 * 64).rounded() == $0 * 64 })
    #expect(offsets[0] == 0 && offsets[200] == 50 && offsets[500] == 40)
    #expect(runs[0].velocity(at: .milliseconds(150)) == (50 - (10.3 * 64).rounded() / 64) * 10)
    #expect(runs[0].velocity(at: .milliseconds(350)) == 0)
  }

  @Test func `a log may state its screen before its samples`() throws {
    let log = try Self.read(
      "# device=Pixel 8\n# viewport=412x915\n#density=2.625\r\n# hz = 120 \n# a note\nt_ms,offset_px\n0,0\n100,50\n"
    )
    #expect(log.screen.size == PixelSize(width: 412, height: 915))
    #expect(log.screen.density == 2.625 && log.screen.refreshRate == 120)
    #expect(log.duration == .milliseconds(100))
    #expect(try Self.read("0,0").screen == RecordedScreen())
  }

  @Test(arguments: [
    ("", "a.csv has no samples"),
    ("# viewport=412\n0,0", "a.csv, line 1: the viewport must be"),
    ("# viewport=0x9\n0,0", "a.csv, line 1: the viewport"),
    ("# hz=0\n0,0", "a.csv, line 1: hz must be"),
    ("\n# density=9\n0,0", "a.csv, line 2: the density must be from 0.75"),
    ("0,0\n# hz=60\n", "a.csv, line 2: must be a time"), ("t_ms,offset_px\n", "a.csv has no samples"),
    ("\n\n", "a.csv has no samples"),
    ("0,0\nt_ms,offset_px\n", "a.csv, line 2: must be a time"), ("0\n", "a.csv, line 1: must be a time"),
    ("0,0,0\n", "a.csv, line 1: must be a time"), ("0,0\n1,x\n", "a.csv, line 2: must be a time"),
    ("0,nan\n", "a.csv, line 1: must be a time"), ("inf,0\n", "a.csv, line 1: must be a time"),
    ("0,1e13\n", "a.csv, line 1: must be a time"), ("1e16,0\n", "a.csv, line 1: must be a time"),
    ("0,0\n10,0\n9.5,0\n", "a.csv, line 3: the sample is earlier"),
    ("0,0\n-1,0\n", "a.csv, line 2: the sample is earlier"),
    ("-1e15,0\n1e15,0\n", "a.csv, line 2: the sample is more than a day"),
    ("\u{0},\u{0}\n", "a.csv, line 1: must be a time"),
  ])
  func `an invalid log is refused with the number of the line`(csv: String, message: String) {
    #expect {
      try Self.read(csv)
    } throws: { error in
      (error as? LoadError)?.kind == .invalidRequest
        && (error as? LoadError)?.message.hasPrefix(message) == true
    }
  }

  @Test func `a log with too many samples is refused`() throws {
    let csv = Array("t_ms,offset_px\n1,0\n2,0\n3,0\n".utf8)
    #expect(try ScrollLog(name: "a.csv", csv: csv, atMost: 3).isRead)
    #expect {
      try ScrollLog(name: "a.csv", csv: csv, atMost: 2)
    } throws: { error in
      "\(error)".contains("line 4: the log has more than 2 samples")
    }
  }
}
