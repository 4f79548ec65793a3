internal import Cellophane
internal import Synchronization

/// Loads the lines of a list, so many at once.
final class PrefetchRun: Sendable {
  private let lines: LineReader
  private let bytes: ByteLoader
  private let images: ImageLoader
  private let form: Form
  private let options: ImageOptions
  private let headers: HeaderFields
  private let cachePolicy: CachePolicy
  private let allowsFiles: Bool
  private let folder: OutputFolder?
  private let tally: PrefetchTally
  private let seen = Mutex<Set<ResponseKey>>([])

  init(
    lines: LineReader, bytes: ByteLoader, form: Form, options: ImageOptions, headers: HeaderFields,
    cachePolicy: CachePolicy, allowsFiles: Bool, folder: OutputFolder?, tally: PrefetchTally
  ) {
    self.lines = lines
    self.bytes = bytes
    // No picture is asked for twice, so none is kept in memory.
    images = ImageLoader(bytes: bytes, decoder: ImageDecoder(), memory: MemoryCache(limit: 0))
    self.form = form
    self.options = options
    self.headers = headers
    self.cachePolicy = cachePolicy
    self.allowsFiles = allowsFiles
    self.folder = folder
    self.tally = tally
  }

  /// Loads until the list ends, the task is cancelled, or nobody reads the results. What was under way then is not
  /// reported.
  func run(jobs: Int) async {
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<jobs {
        group.addTask {
          while !Task.isCancelled, !self.tally.hasNoReader, let line = await self.lines.next() {
            await self.load(line)
          }
        }
      }
      while await group.next() != nil { if tally.hasNoReader { group.cancelAll() } }
    }
  }

  private func load(_ line: LineSplitter.Line) async {
    let start = bytes.timeline.now
    var result = PrefetchResult(index: line.number, url: line.text)
    do throws(LoadError) {
      let request: ImageRequest
      do throws(LoadError) {
        request = try Request(
          line.text, headers: headers, options: options, priority: .normal, cachePolicy: cachePolicy)
      } catch {
        result.url = CanonicalURL.withoutUser(line.text)
        throw error
      }
      try TransferOptions.check(request.url, allowsFiles: allowsFiles)
      if seen.withLock({ $0.insert(request.key.response).inserted }) {
        try await load(request, line.number, into: &result)
      } else {
        result.outcome = .duplicate
      }
    } catch {
      if error.kind == .cancelled { return }
      result.fail(error)
    }
    result.duration_ms = (bytes.timeline.now - start).milliseconds
    tally.record(result)
  }

  private func load(
    _ request: ImageRequest, _ number: Int, into result: inout PrefetchResult
  ) async throws(LoadError) {
    let loaded = try await bytes.load(request)
    result.outcome = loaded.source == .network ? .fetched : .fresh
    result.bytes = loaded.bytes.count
    result.status = loaded.status
    result.contentType = loaded.headers["content-type"]
    guard form == .image else {
      if let folder { try FileOutput.write(loaded.bytes, to: folder.path(number: number)) }
      return
    }
    let header = try ImageDecoder().header(of: loaded.bytes)
    let image = try await images.decode(loaded, for: request)
    result.width = image.width
    result.height = image.height
    guard let folder else { return }
    let path = folder.path(number: number, extension: header.format == .png ? "png" : "jpg")
    if options.targetSize == nil {
      try FileOutput.write(loaded.bytes, to: path)
    } else {
      try FileOutput.write(image, as: header.format == .png ? .png : .jpeg(quality: 90), to: path)
    }
  }
}

/// The directory that bodies are written to, by the number of their line.
struct OutputFolder: Sendable {
  private let folder: String

  init(_ path: String) throws(LoadError) {
    try FileOutput.makeDirectory(path)
    folder = path
  }

  /// Where the body of a line is written.
  func path(number: Int, extension suffix: String? = nil) -> String {
    let digits = String(number)
    // Eight digits keep the order of names that of lines for any list of practical length.
    let name = String(repeating: "0", count: max(0, 8 - digits.count)) + digits
    return folder + "/" + name + (suffix.map { "." + $0 } ?? "")
  }
}
