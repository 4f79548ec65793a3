internal import Cellophane

/// What a ``Trial`` is put into: how time passes, what the line is, where files are, what decodes. There are two: the
/// machine at hand, and a model of one in virtual time. One is made for each trial, and gone afterwards.
protocol TrialWorld: Sendable {
  associatedtype Decoder: ResourceDecoder where Decoder.Options == ImageOptions

  var timeline: Timeline { get }
  /// Notes what happens, where that can be the same twice.
  var log: EventLog? { get }
  /// The requests of the rows, from the first on.
  var requests: [ImageRequest] { get }
  var transport: any Transport { get }
  var disk: DiskCache { get }
  var decodingLimits: DecodingLimits { get }
  /// Stands for the main thread: no decoding of a loader under measurement can occupy it.
  var screenExecutor: any SerialExecutor { get }
  /// The most transfers that were on the line at once; nil where nobody counts them there.
  var mostInFlight: Int? { get }

  /// How many connections were opened; nil where nobody counts them.
  var connectionsOpened: Int? { get }
  /// The bytes that still came down the line of transfers that had been given up; nil where nobody counts them.
  var receivedAfterCancel: Int? { get }
  /// When it is known which picture belongs to a row.
  var proof: RowsSeen.Proof { get }

  /// False where drawing takes no time.
  var canBeLate: Bool { get }

  /// What decodes; tells `observers` about it where decoding is modelled.
  func decoder(_ observers: RunObservers) -> Decoder

  /// What a picture proves to be.
  func identify(_ value: Decoder.Value) -> PictureIdentity

  /// The memory that the process has in RAM, where that says something about the loader.
  func residentMemory() -> Int?

  /// Runs `body` here; nil when it waits for something that never happens.
  func host<Value: Sendable>(_ body: @escaping @Sendable () async -> Value) async -> Value?

  /// Makes sure that the bytes which came so far are counted.
  func catchUp()

  /// Lets everything that was begun come to its end. False where one cannot know whether it has.
  func quiescence() async -> Bool

  /// Waits until `isOver`, or until nothing will change any more.
  func wait(until isOver: @escaping @Sendable () async -> Bool) async

  /// Closes everything.
  func end() async
}
