/// Small drawings of the screen at several times of one or two runs, on one clock.
struct Filmstrip: Sendable {
  let pair: RunPair
  /// The times of the frames, in µs.
  let times: [Int64]

  /// The number of times.
  private static let count = 8

  init(_ pair: RunPair) {
    self.pair = pair
    times = (0..<Self.count).map { Self.worst($0, of: pair) }
  }

  /// Returns the time in eighth `index` of the runs at which the largest share of the screens was blank; the last one
  /// of several.
  ///
  /// - Note: Omits jumps of more than a screen. The series has no offset for each frame of a jump.
  private static func worst(_ index: Int, of pair: RunPair) -> Int64 {
    let (from, to) = (pair.end * Int64(index) / Int64(count), pair.end * Int64(index + 1) / Int64(count))
    let step = pair.runs.first?.recording.series.step ?? 1
    var worst = (time: (from + to) / 2, share: 0.0)
    for time in stride(from: from, to: to, by: Int64.Stride(max(step, (to - from) / 10_000 + 1))) {
      guard !pair.runs.contains(where: { $0.recording.jumps(at: time) }) else { continue }
      let share = pair.runs.reduce(0) { $0 + ($1.recording.series.sample(at: time)?.blankShare ?? 0) }
      if share >= worst.share, share > 0 { worst = (time, share) }
    }
    return worst.time
  }

  /// The explanation of the frames.
  private var explanation: [String] {
    let shares = pair.runs.compactMap { run in
      run.recording.series.blankShare.map { "\(run.title) \(Quantity.percent($0))" }
    }
    return [
      "The recorded run is the first replica. Its blank share is: \(shares.joined(separator: ", ")).",
      "Each frame is the moment of its eighth of the run with the most blank area"
        + (pair.runs.count > 1 ? ", both screens added." : "."),
      "A tile is an image, with a tint for its row; an orange frame is a missing image."
        + (pair.runs.contains { $0.recording.hasPreviews } ? " A pale tile is a preview." : ""),
    ]
  }

  /// The strip as a part of a page: a column for each time, with one screen below the other.
  var markup: Markup {
    let moments = times.map { time -> Markup in
      let frames = pair.runs.map { run -> Markup in
        let frame = ScreenDrawing(run.recording, at: time)
        let (width, height) = frame.size
        return
          #"<svg viewBox="0 0 \#(width) \#(height)" role="img" aria-label="\#(run.title): \#(frame.caption)">"#
          + frame.drawing + #"</svg><span class="frame">\#(run.title)<br>\#(frame.caption)</span>"#
      }.joined()
      return #"<li data-moment="\#(time.secondsText)"><b>\#(time.secondsText)</b>\#(frames)</li>"#
    }.joined()
    return """
      <section id="film" aria-label="Filmstrip"><ol class="film\(pair.runs.count > 1 ? "" : " one")">\(moments)</ol>
      <p class="reading">\(explanation.joined(separator: " "))</p></section>

      """
  }

  /// Returns the strip as an SVG image with its title and its explanation: a row of frames for each run.
  func image(title: String) -> String {
    let gap = 16.0
    var drawing: Markup = ""
    var top = 44.0
    for run in pair.runs {
      let frames = times.map { (time: $0, frame: ScreenDrawing(run.recording, at: $0)) }
      let shape = frames.first?.frame.size ?? (width: 1, height: 1)
      let width = (Figure.width - 32 - gap * Double(Self.count - 1)) / Double(Self.count)
      // 320 px: a very tall screen would fill the image.
      let scale = min(width / shape.width, 320 / shape.height)
      drawing += #"<text class="subtitle" x="16" y="\#(top + 10)">\#(run.title)</text>"#
      top += 20
      for (index, one) in frames.enumerated() {
        let left = 16 + Double(index) * (width + gap)
        let middle = left + shape.width * scale / 2
        let bottom = top + shape.height * scale
        drawing +=
          #"<svg x="\#(left)" y="\#(top)" width="\#(shape.width * scale)" height="\#(shape.height * scale)" viewBox="0 0 \#(shape.width) \#(shape.height)">\#(one.frame.drawing)</svg>"#
        drawing +=
          #"<text class="label middle" x="\#(middle)" y="\#(bottom + 16)">\#(one.time.secondsText)</text>"#
        drawing +=
          #"<text class="tick middle" x="\#(middle)" y="\#(bottom + 31)">\#(one.frame.caption)</text>"#
      }
      top += shape.height * scale + 52
    }
    let caption = explanation.enumerated().map { index, text -> Markup in
      #"<text class="label" x="16" y="\#(top + Double(index) * 20)">\#(text)</text>"#
    }.joined()
    let total = top + 32
    let image: Markup = """
      <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 960 \(total)" width="960" height="\(total)" role="img" \
      aria-label="\(title)" font-family="system-ui,sans-serif">
      <style>\(Page.style)</style><rect width="960" height="\(total)" fill="var(--bg)"/>
      <text class="subtitle" x="16" y="24">\(title)</text>
      \(drawing)\(caption)
      </svg>

      """
    return image.text
  }
}

extension Recording {
  /// Returns true if the list moves by more than a screen around `time`.
  func jumps(at time: Int64) -> Bool {
    abs(series.offset(at: time + 2 * series.step) - series.offset(at: max(0, time - 2 * series.step)))
      > Double(viewport[1])
  }
}

extension Recording.Series {
  /// The blank share of the run; nil if no image was visible.
  fileprivate var blankShare: Double? {
    let (blank, area) = samples.reduce((0, 0)) { ($0.0 + $1.blank, $0.1 + $1.area) }
    return area > 0 ? blank / area : nil
  }

  /// Returns the step that contains `time`; nil outside the run.
  fileprivate func sample(at time: Int64) -> Sample? {
    let index = Int(time / step)
    return samples.indices.contains(index) ? samples[index] : nil
  }
}

extension SimulationResult {
  /// The recordings of the naive loader and of the loader under test; nil without a recording.
  var pair: RunPair? {
    guard let recording else { return nil }
    let naive = naiveRecording.map {
      RunPair.Run(title: LoaderUnderTest.naive.title, key: "naive_recording", recording: $0)
    }
    let own = RunPair.Run(title: loader, key: "recording", recording: recording)
    return RunPair(runs: [naive, own].compactMap(\.self))
  }

  /// Returns the screen at several times of the first replica as a self-contained SVG image: the naive loader above
  /// the loader under test. Returns nil without a recording.
  package func filmstrip() -> String? {
    pair.map {
      Filmstrip($0).image(
        title: "\(Quantity.grouped(Double(config.list.rows))) rows, profile \(config.gesture.profile.name), "
          + "seed \(config.seed)")
    }
  }
}
