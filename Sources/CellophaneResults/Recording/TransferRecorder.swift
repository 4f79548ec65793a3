/// Records the transfers.
struct TransferRecorder {
  private(set) var transfers: [Recording.Transfer] = []
  /// The number of running transfers.
  private(set) var running = 0
  private let scene: RecordedScene
  /// The index of the span of each transfer that the transport has not closed. Transfers without a span are
  /// not included.
  private var open: [Int: Int] = [:]
  /// The numbers of connections in the order of their first use, by the numbers of the transport.
  private var connections: [Int: Int] = [:]
  private var received: Set<Int> = []

  init(_ scene: RecordedScene) { self.scene = scene }

  mutating func begin(_ number: Int, _ url: String, at time: Int64, isKept: Bool) {
    running += 1
    guard isKept, let row = scene.row(of: url) else { return }
    open[number] = transfers.count
    transfers.append(
      Recording.Transfer(
        row: row, bounds: scene.bounds(of: row), connection: nil, start: time, sent: nil,
        firstByte: nil, end: time, bytes: 0, outcome: .running, isRepeated: received.contains(row)))
  }

  /// Notes that the request of transfer `number` was sent, for the first time or again.
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

  /// Notes that the transport has closed transfer `number`.
  mutating func close(_ number: Int, bytes: Int, at time: Int64) {
    progress(number, bytes: bytes, at: time)
    open[number] = nil
  }

  mutating func finish(at time: Int64) {
    for span in open.values where transfers[span].outcome == .running { transfers[span].end = time }
  }
}

/// Records the decodings.
struct DecodingRecorder {
  private(set) var decodings: [Recording.Decoding] = []
  private var open: [Int: Int] = [:]
  private var cores = Lanes()
  private let scene: RecordedScene

  init(_ scene: RecordedScene) { self.scene = scene }

  mutating func begin(_ number: Int, of picture: PictureIdentity, at time: Int64, isKept: Bool) {
    guard isKept, case .row(let picture, _) = picture, let row = scene.row(ofPicture: picture) else { return }
    open[number] = decodings.count
    decodings.append(Recording.Decoding(row: row, core: cores.assign(to: number), start: time, end: time))
  }

  mutating func end(_ number: Int, at time: Int64) {
    guard let span = open.removeValue(forKey: number) else { return }
    cores.release(number)
    decodings[span].end = time
  }

  mutating func finish(at time: Int64) {
    for span in open.values { decodings[span].end = time }
    open = [:]
  }
}

/// Assigns the first free lane to each of several overlapping spans.
struct Lanes {
  private var holders: [Int?] = []

  /// Returns the lane of `number`, which is occupied until ``release(_:)``.
  mutating func assign(to number: Int) -> Int {
    let lane = holders.firstIndex(of: nil) ?? holders.count
    if lane == holders.count { holders.append(number) } else { holders[lane] = number }
    return lane
  }

  /// Frees the lane of `number`.
  mutating func release(_ number: Int) {
    if let lane = holders.firstIndex(of: number) { holders[lane] = nil }
  }
}
