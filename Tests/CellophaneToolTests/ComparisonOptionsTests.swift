internal import Foundation
internal import Testing

@testable internal import CellophaneTool

@Suite("Assertions, sweeps and comparisons of simulate", .timeLimit(.minutes(5)))
struct ComparisonOptionsTests {
  /// Ten replicas, because fewer have no confidence intervals.
  private static let run =
    "cellophane simulate --duration 2 --replicas 10 --rows 100 --network wpt-fios --quiet "

  @Test("a failed assertion has exit code 4, and the result names it")
  func assertions() async throws {
    let room = try Room()
    let passed = try await room.shell(
      Self.run + "--json - --assert 'blank_ratio<=100%' --assert 'misplaced_events==0'")
    #expect(passed.exit == 0 && passed.errors.isEmpty, "\(passed)")
    #expect((try passed.json()["assertions"] as? [[String: Any]])?.count == 2)
    let failed = try await room.shell(
      Self.run + "--json - --assert 'appearances>1' --assert 'time_to_image.p50 > 900s'")
    // The reason is printed despite --quiet.
    #expect(failed.exit == 4 && failed.errorLines.count == 1, "\(failed)")
    #expect(
      failed.errors.hasPrefix(
        "cellophane: assertion-failed: time_to_image.p50 > 900s does not hold: the value is "),
      "\(failed)")
    let outcomes = try #require(try failed.json()["assertions"] as? [[String: Any]])
    #expect(outcomes.map { $0["pass"] as? Bool } == [true, false])
    #expect(outcomes.map { $0["expr"] as? String } == ["appearances>1", "time_to_image.p50 > 900s"])
    let gap = try await room.shell(Self.run + "--assert 'oracle_gap<=100%' --assert 'oracle_gap<-1'")
    #expect(gap.exit == 4 && gap.errors.contains("oracle_gap<-1 does not hold: the value is 0."), "\(gap)")
    let refused = try await room.shell(Self.run + "--assert 'blank<1'")
    #expect(refused.exit == 64 && refused.errorLines.count == 1, "\(refused)")
  }

  @Test("a run without a displayed image has exit code 1 and the error nothing-shown")
  func nothingShown() async throws {
    let room = try Room()
    let failed = try await room.shell(Self.run + "--fail 100%")
    #expect(failed.exit == 1 && failed.output.isEmpty && failed.errorLines.count == 1, "\(failed)")
    #expect(
      failed.errors.hasPrefix("cellophane: nothing-shown: no image was shown: ")
        && failed.errors.contains(" loads failed per replica; check --fail and the network\n"), "\(failed)")
  }

  @Test("--sweep varies options, and refuses an invalid sweep in one line")
  func sweep() async throws {
    let room = try Room()
    let command = "cellophane simulate --duration 1 --replicas 2 --rows 100 --quiet "
    let swept = try await room.shell(
      command + "--sweep memory=0,4MB --sweep 'network=wpt-lte;down=800,rtt=30' --json -")
    #expect(swept.exit == 0 && swept.errors.isEmpty, "\(swept)")
    let json = try swept.json()
    #expect(json["schema"] as? String == "cellophane.study/1")
    #expect(json["parameters"] as? [String] == ["memory", "network"])
    let cases = try #require(json["cases"] as? [[String: Any]])
    #expect(cases.map { $0["values"] as? [String] ?? [] }.last == ["4MB", "down=800,rtt=30"])
    // The command of a case repeats it.
    let again = try await room.shell(try #require(cases[3]["reproduce"] as? String) + " --quiet --json -")
      .json()
    #expect((again["config"] as? [String: Any])?["replicas"] as? Int == 2)
    // A table in a pipe has blocks instead of colors.
    let table = try await room.shell(
      "cellophane simulate --duration 1 --replicas 2 --rows 100 --network wpt-fios --sweep memory=0,4MB "
        + "--sweep prefetch=none,rows:8"
    )
    #expect(table.exit == 0 && table.text.contains("██") && !table.text.contains("\u{1B}"), "\(table)")
    for sweep in ["memory", "memory=", "memory=x", "nothing=1", "seed=1,2", "rows=0"] {
      let refused = try await room.run("simulate", "--duration", "1", "--sweep", sweep)
      #expect(refused.exit == 64 && refused.errorLines.count == 1, "\(sweep): \(refused)")
    }
    for (sweep, message) in [
      ("network=down=5000,rtt=10", "--sweep network: 'down=5000,rtt=10' may be one value or two; separate "),
      ("prefetch=none,screens:2,1", "--sweep prefetch: 'screens:2,1' may be one value or two; separate "),
      ("memory=1MB,2MB;4MB", "--sweep memory: '1MB,2MB' is not one value; separate all values by ';', "),
      ("memory=1MB,1MB", "the cases '1MB' and '1MB' of the sweep are the same; give each value once"),
      (
        "prefetch=none,8,rows:8", "the cases '8' and 'rows:8' of the sweep are the same; give each value once"
      ),
    ] {
      let refused = try await room.run("simulate", "--duration", "1", "--sweep", sweep)
      #expect(refused.exit == 64 && refused.errorLines.count == 1, "\(sweep): \(refused)")
      #expect(refused.errors.contains(": " + message), "\(sweep): \(refused)")
    }
    let two = try await room.run("simulate", "--sensitivity", "--sweep", "rows=5")
    #expect(two.exit == 64, "\(two)")
    let twice = try await room.run("simulate", "--duration", "1", "--sweep", "rows=5", "--sweep", "rows=6")
    #expect(twice.exit == 64 && twice.errors.contains("given twice"), "\(twice)")
    // An assertion that is not evaluated must not pass silently.
    for others in [["--validate"], ["--calibrate"], ["--list", "metrics"], ["--requests", "a"]] {
      let unchecked = try await room.run(["simulate", "--assert", "blank_ratio<0"] + others)
      #expect(unchecked.exit == 64 && unchecked.errors.contains("--assert"), "\(others): \(unchecked)")
    }
  }

  @Test("assertions judge each case of a sweep, and the differences of a comparison")
  func assertionsOfStudies() async throws {
    let room = try Room()
    let sweep = Self.run + "--sweep prefetch=none,rows:8 "
    let passed = try await room.shell(sweep + "--assert 'blank_ratio<=100%' --json -")
    #expect(passed.exit == 0, "\(passed)")
    let outcomes = try #require(try passed.json()["assertions"] as? [[String: Any]])
    #expect(outcomes.map { $0["case"] as? [String] } == [["none"], ["rows:8"]])
    #expect(outcomes.allSatisfy { $0["verdict"] as? String == "holds" })
    let failed = try await room.shell(sweep + "--assert 'appearances<1'")
    #expect(failed.exit == 4 && failed.errors.contains("appearances<1 in none does not hold"), "\(failed)")
    // Without prefetching, more area is blank.
    for (name, prefetch) in [("a", "rows:8"), ("b", "none")] {
      let run = try await room.shell(
        "cellophane simulate --duration 20 --replicas 12 --network wpt-lte --quiet --prefetch \(prefetch) --json \(name).json"
      )
      #expect(run.exit == 0, "\(run)")
    }
    let compare = "cellophane simulate --quiet --compare "
    let worse = try await room.shell(compare + "a.json b.json")
    #expect(
      worse.exit == 5 && worse.errors.hasPrefix("cellophane: shown-worse: the blank share "), "\(worse)")
    let better = try await room.shell(compare + "b.json a.json --assert 'blank_ratio<0.5%' --json -")
    #expect(better.exit == 0 && better.errors.isEmpty, "\(better)")
    let gate = try await room.shell(compare + "a.json b.json --assert 'blank_ratio<0.5%'")
    #expect(gate.exit == 4 && gate.errors.contains("blank_ratio<0.5% does not hold"), "\(gate)")
    #expect(try await room.shell(compare + "a.json a.json --assert 'blank_ratio<=0'").exit == 0)
  }

  @Test("--suite-case plays the named case of the suite")
  func suiteCase() async throws {
    let room = try Room()
    let played = try await room.shell(
      "cellophane simulate --suite-case cards/wpt-lte/reader --duration 1 --replicas 1 --quiet --json -")
    let config = try #require(try played.json()["config"] as? [String: Any])
    #expect((config["list"] as? [String: Any])?["row_height_px"] as? Int == 420)
    let refused = try await room.run("simulate", "--suite-case", "cards/here/reader")
    #expect(refused.exit == 64 && refused.errorLines.count == 1, "\(refused)")
  }

  @Test("Ctrl-C has exit code 130, and a partial result is written and marked as incomplete")
  func interrupted() async throws {
    let room = try Room()
    /// Interrupts a run after `lines` lines of output, and returns its last line.
    func lastLine(_ command: String, after lines: Int) async throws -> String {
      let child = try room.begin("exec cellophane simulate \(command) 2>&1")
      await child.lines(lines)
      child.interrupt()
      let ended = try await child.end()
      #expect(ended.exit == 130, "\(ended)")
      return String(ended.text.split(separator: "\n").last ?? "")
    }
    // Each replica prints five lines, so two replicas have finished at the eleventh line.
    let partial = try await lastLine(
      "--time real --duration 0.2 --rows 20 --replicas 500 --json r.json --html r.html", after: 11)
    let result = try object(room.bytes(of: "r.json"))
    let incomplete = try #require(result["incomplete"] as? [String: Int])
    let finished = try #require(incomplete["finished"])
    #expect(finished >= 2 && incomplete["planned"] == 500)
    let all = "the result has \(finished) of 500 replicas and is marked as incomplete"
    #expect(partial == "cellophane: interrupted: stopped by a signal; " + all)
    #expect((result["config"] as? [String: Any])?["replicas"] as? Int == finished)
    #expect(
      try String(decoding: room.bytes(of: "r.html"), as: UTF8.self).contains("\(finished) of 500 replicas"))

    // Each core may still run one replica of an earlier case than the last one that began.
    let rates = (1...200).map(String.init).joined(separator: ",")
    let cases = try await lastLine(
      "--duration 1 --rows 50 --replicas 2 --sweep hz=\(rates) --json s.json",
      after: 3 + ProcessInfo.processInfo.activeProcessorCount)
    let study = try object(room.bytes(of: "s.json"))
    let count = try #require((study["cases"] as? [Any])?.count)
    #expect(count >= 2 && cases.contains(" the result has \(count) of 200 cases"), "\(cases)")

    let nothing = try await lastLine("--duration 1h --replicas 2 --json n.json", after: 1)
    #expect(
      nothing
        == "cellophane: interrupted: stopped by a signal; nothing was finished, so no result is written")
    #expect(throws: (any Error).self) { try room.bytes(of: "n.json") }
  }

  @Test("--compare compares two results, pairwise if their replicas are paired")
  func comparison() async throws {
    let room = try Room()
    for (name, options) in [("a", "--prefetch rows:8"), ("b", "--prefetch none"), ("c", "--seed 50")] {
      let ended = try await room.shell(Self.run + "\(options) --json \(name).json")
      #expect(ended.exit == 0, "\(ended)")
    }
    let pairs = try await room.run("simulate", "--compare", "a.json", "b.json", "--json", "-")
    #expect(pairs.exit == 0, "\(pairs)")
    let json = try pairs.json()
    #expect(json["schema"] as? String == "cellophane.compare/1")
    #expect(json["paired"] as? Bool == true)
    let ready = try #require((json["metrics"] as? [String: Any])?["ready_on_appear"] as? [String: Any])
    #expect((ready["difference"] as? [String: Any])?["ci95"] is [Double])
    let others = try await room.run("simulate", "--compare", "a.json", "c.json")
    #expect(
      others.text.contains("Replicas are not paired: different seeds, starting at 1 and at 50."), "\(others)"
    )
    #expect(others.text.contains("  seed  "), "\(others)")
    let same = try await room.run("simulate", "--compare", "a.json", "a.json")
    #expect(!same.text.contains("better") && !same.text.contains("worse"), "\(same)")
    try room.write(lines: ["{}"], as: "no.json")
    // An invalid file is not an error of the command line, as in `report`.
    for (files, exit) in [(["a.json"], 64), (["a.json", "no.json"], 1), (["a.json", "missing.json"], 1)] {
      let refused = try await room.run(["simulate", "--compare"] + files)
      #expect(refused.exit == exit && refused.errorLines.count == 1, "\(refused)")
    }
    try room.write(lines: [#"{"schema": "cellophane.study/1"}"#], as: "s.json")
    let study = try await room.run("simulate", "--compare", "a.json", "s.json")
    let reason = "unsupported: s.json has several cases (--sweep, --sensitivity or --suite); "
    #expect(study.exit == 1 && study.errors.contains(reason), "\(study)")
    try room.write(lines: [#"{"schema": "cellophane.compare/1"}"#], as: "d.json")
    let other = try await room.run("simulate", "--compare", "a.json", "d.json")
    let use =
      "(simulate --compare), which --compare does not read; use a result with the schema 'cellophane.simulate/1'"
    #expect(other.exit == 1 && other.errors.contains("unsupported: d.json has the schema "), "\(other)")
    #expect(other.errors.contains(use), "\(other)")
  }
}
