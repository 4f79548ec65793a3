/// Records what is transferred.
struct TransferRecorder {
  private(set) var transfers: [Recording.Transfer] = []
  /// How many are running.
  private(set) var running = 0
  private let scene: RecordedScene
  /// The spans of those that the transport has not done with; of some no span is kept.
  private var open: [Int: Int] = [:]
  /// The numbers of connections in the order of their first use, by those that the transport tells.
  private var connections: [Int: Int] = [:]
  private var received: Set<Int> = []

  init(_ scene: RecordedScene) { self.scene = scene }

  mutating func begin(_ number: Int, _ url: String, at time: Int64, isKept: Bool) {
    running += 1
    guard isKept, let row = scene.row(of: url) else { return }
    open[number] = transfers.count
    transfers.append(
      Recording.Transfer(
        row: row, place: scene.place(of: row), connection: nil, start: time, sent: nil,
        firstByte: nil, end: time, bytes: 0, outcome: .running, isRepeated: received.contains(row)))
  }

  /// Its request goes out, for the first time or again.
  mutating func send(_ number: Int, over connection: Int?, at time: Int64) {
    guard let span = open[number], transfers[span].outcome == .running else { return }
    transfers[span].sent = time
    guard let connection else { return }
    let known = connections[connection] ?? connections.count
    connections[connection] = known
    transfers[span].connection = known
  }

  mutating func answer(_ number: Int, at time: Int64) {
    guard let span = open[number], transfers[span].firstByte == nil else { return }
    transfers[span].firstByte = time
  }

  mutating func progress(_ number: Int, bytes: Int, at time: Int64) {
    guard let span = open[number] else { return }
    transfers[span].bytes = bytes
    if bytes > 0, transfers[span].firstByte == nil { transfers[span].firstByte = time }
  }

  mutating func end(_ number: Int, _ outcome: TransferOutcome, bytes: Int, at time: Int64) {
    running -= 1
    guard let span = open[number] else { return }
    progress(number, bytes: bytes, at: time)
    transfers[span].end = time
    transfers[span].outcome =
      switch outcome {
      case .completed: .completed
      case .cancelled: .cancelled
      case .failed: .failed
      }
    if transfers[span].outcome == .completed { received.insert(transfers[span].row) }
  }

  /// The transport has done with it.
  mutating func leave(_ number: Int, bytes: Int, at time: Int64) {
    progress(number, bytes: bytes, at: time)
    open[number] = nil
  }

  mutating func finish(at time: Int64) {
    for span in open.values where transfers[span].outcome == .running { transfers[span].end = time }
  }
}

/// Records what is decoded.
struct DecodingRecorder {
  private(set) var decodings: [Recording.Decoding] = []
  private var open: [Int: Int] = [:]
  private var cores = Lanes()
  private let scene: RecordedScene

  init(_ scene: RecordedScene) { self.scene = scene }

  mutating func begin(_ number: Int, of picture: PictureIdentity, at time: Int64, isKept: Bool) {
    guard isKept, case .row(let picture, _) = picture, let row = scene.row(ofPicture: picture) else { return }
    open[number] = decodings.count
    decodings.append(Recording.Decoding(row: row, core: cores.take(for: number), start: time, end: time))
  }

  mutating func end(_ number: Int, at time: Int64) {
    guard let span = open.removeValue(forKey: number) else { return }
    cores.free(number)
    decodings[span].end = time
  }

  mutating func finish(at time: Int64) {
    for span in open.values { decodings[span].end = time }
    open = [:]
  }
}

/// Gives each of several things that overlap a lane of its own, the first that is free.
struct Lanes {
  private var holders: [Int?] = []

  /// The lane of `number` from now on.
  mutating func take(for number: Int) -> Int {
    let lane = holders.firstIndex(of: nil) ?? holders.count
    if lane == holders.count { holders.append(number) } else { holders[lane] = number }
    return lane
  }

  /// `number` needs none any more.
  mutating func free(_ number: Int) {
    if let lane = holders.firstIndex(of: number) { holders[lane] = nil }
  }
}
