internal import Cellophane

/// The environment of a ``Trial``: time, network, files and decoding. There are two: the real machine, and a
/// model in virtual time. Each trial has its own world.
protocol TrialWorld: Sendable {
  associatedtype Decoder: ResourceDecoder where Decoder.Options == ImageOptions

  var timeline: Timeline { get }
  /// The log of events; nil if runs are not repeatable.
  var log: EventLog? { get }
  /// The requests of the rows, from the first on.
  var requests: [ImageRequest] { get }
  var transport: any Transport { get }
  var disk: DiskCache { get }
  var decodingLimits: DecodingLimits { get }
  /// The executor of the screen, as the main thread of an app. Decoding never occupies it.
  var screenExecutor: any SerialExecutor { get }
  /// The peak number of concurrent transfers on the network; nil if unknown.
  var peakTransfers: Int? { get }

  /// The number of connections opened; nil if unknown.
  var connectionsOpened: Int? { get }
  /// The bytes that arrived after the cancellation of their transfers; nil if unknown.
  var receivedAfterCancel: Int? { get }
  /// The evidence for the image of each row.
  var evidence: RowTally.Evidence { get }

  /// False if drawing takes no time.
  var framesCanBeLate: Bool { get }

  /// Creates a decoder. A modeled decoder reports to `observers`.
  func decoder(_ observers: RunObservers) -> Decoder

  /// Returns the identity of an image.
  func identify(_ value: Decoder.Value) -> PictureIdentity

  /// Returns the resident memory of the process; nil if it says nothing about the loader.
  func residentMemory() -> Int?

  /// Runs `body` in this world. Returns nil if it waits for an event that never happens.
  func host<Value: Sendable>(_ body: @escaping @Sendable () async -> Value) async -> Value?

  /// Ensures that all bytes that arrived so far are counted.
  func catchUp()

  /// Waits until all work has finished. Returns false if that cannot be determined.
  func quiescence() async -> Bool

  /// Waits until `hasEnded` returns true, or until no further event can happen.
  func wait(until hasEnded: @escaping @Sendable () async -> Bool) async

  /// Closes the world.
  func end() async
}
