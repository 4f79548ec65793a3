internal import Cellophane
internal import CellophaneS3
internal import Synchronization

/// The origins of the objects of earlier runs, and those of this run that are not stored yet.
///
/// Each run writes objects `.cellophane/contents/NAME.jsonl`, with a line for each object: its name, its origin, and its
/// entity tag. A line is valid if the location has an object with this name and tag. An object that was removed or
/// replaced thus has no valid line, in whatever order processes write their lines.
final class S3Contents: Sendable {
  /// A line of an index.
  struct Line: Equatable, Sendable {
    /// The name of the object.
    let file: String
    /// The length of its extension in bytes, with the dot.
    let suffix: Int
    /// The hash of its request and options.
    let origin: String
    /// The hash of its content, for names that contain it.
    let content: String?
    let etag: String
  }

  static let folder = ".cellophane/contents/"
  /// The maximum number of lines in an object. 10 000: about 1.3 MB, and the next run reads a million in 100 requests.
  static let mostLines = 10_000
  /// The time after which lines are written although they are fewer. A killed run loads their records again.
  static let longestTime = Duration.seconds(30)

  private struct State {
    var lines: [Line] = []
    var lastWrite: Duration
    var objects = 0
  }

  private let client: S3Client
  private let run: String
  private let entries: S3ContentEntries
  private let state: Mutex<State>

  /// Lists the objects of the location and reads the indexes of earlier runs.
  ///
  /// - Throws: ``LoadError/Kind/io`` if the location cannot be used.
  init(_ client: S3Client) async throws(LoadError) {
    self.client = client
    run =
      ShardNumbers.name(of: Int(client.timeline.secondsSince1970)) + "-"
      + String(UInt64.random(in: .min ... .max), radix: 16)
    state = Mutex(State(lastWrite: client.timeline.now))
    var tags = S3ContentTags()
    var indexes: [S3Object] = []
    do throws(S3Error) {
      try await client.limited(toTries: 3).list { page in
        for object in page {
          if object.name.hasPrefix(Self.folder) { indexes.append(object) } else { tags.add(object) }
        }
      }
    } catch { throw error.loadError("list \(client.location)") }
    tags.sort()
    var entries = S3ContentEntries()
    for index in indexes {
      var reader = ListReader(.jsonl, field: FieldName("file"))
      func add(_ records: [ListRecord]) {
        // A damaged line is skipped: its record is loaded again.
        for line in records.compactMap(Line.init) where tags.contains(line.file, line.etag) {
          entries.add(line)
        }
      }
      try await client.read(index) { piece throws(LoadError) in add(try reader.read(piece)) }
      add(try reader.finish())
    }
    entries.sort()
    self.entries = entries
  }

  /// Whether an earlier run wrote objects with known origins.
  var isEmpty: Bool { entries.isEmpty }

  /// Returns the content and the extension of an object that an earlier run wrote under `path` from `origin`.
  func entry(of path: String?, from origin: String) -> S3ContentEntries.Entry? {
    entries.entry(of: path, from: origin)
  }

  /// Returns the extensions of the objects that earlier runs wrote under `path`.
  func suffixes(of path: String) -> [String] { entries.suffixes(of: path) }

  /// Adds a line for an object of this run. Writes the lines if they are many or old; a failure is ignored until the end.
  func add(_ line: Line) async {
    let now = client.timeline.now
    let isDue = state.withLock { state in
      state.lines.append(line)
      guard state.lines.count >= Self.mostLines || now - state.lastWrite >= Self.longestTime else {
        return false
      }
      state.lastWrite = now
      return true
    }
    if isDue { try? await write() }
  }

  /// Writes the lines that are not stored yet.
  func write() async throws(S3Error) {
    let (lines, number) = state.withLock { state in
      defer { (state.lines, state.objects) = ([], state.objects + 1) }
      return (state.lines, state.objects)
    }
    if lines.isEmpty { return }
    do throws(S3Error) {
      try await client.put(
        Self.folder + "\(run)-\(number).jsonl", .bytes(lines.flatMap { $0.bytes }),
        type: "application/x-ndjson")
    } catch {
      state.withLock { $0.lines = lines + $0.lines }
      throw error
    }
  }
}

extension S3Contents.Line {
  /// Parses a line; nil if it is not valid.
  init?(_ record: ListRecord) {
    guard record.defect == nil, let origin = record.text(of: "origin"), let etag = record.text(of: "etag"),
      let suffix = record.text(of: "suffix").flatMap({ Int($0) }), (0...5).contains(suffix)
    else { return nil }
    self.init(
      file: record.url, suffix: suffix, origin: origin, content: record.text(of: "content"), etag: etag)
  }

  /// The line with its break.
  var bytes: [UInt8] {
    var json = JSONLine()
    json.add("file", file)
    json.add("suffix", suffix)
    json.add("origin", origin)
    if let content { json.add("content", content) }
    json.add("etag", etag)
    return json.line()
  }
}
