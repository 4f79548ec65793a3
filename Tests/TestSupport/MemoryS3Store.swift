package import Cellophane
package import CellophaneS3
internal import Synchronization

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// An object store in memory with the requests of S3 that the tool sends. Each takes 10 ms of the timeline.
package final class MemoryS3Store: S3Transport {
  /// A deviation of one request.
  package enum Fault: Sendable {
    /// The request has no effect and this response.
    case status(Int, code: String)
    /// The request has no effect and a response with the status 200 and this text.
    case text(String)
    /// The connection breaks before the request arrives.
    case lostRequest
    /// The request has its effect, but the connection breaks before the response.
    case lostResponse
    /// The process ends: the request has an effect or not, and no other request arrives.
    case kill(isApplied: Bool)
  }

  /// The content of an object or part. Large ranges of files are not read.
  package enum Content: Equatable, Sendable {
    case bytes([UInt8])
    case range(Range<Int>)

    var count: Int {
      switch self {
      case .bytes(let bytes): bytes.count
      case .range(let range): range.count
      }
    }
  }

  package struct State: Sendable {
    /// The parts of each object by its key.
    package var objects: [String: [Content]] = [:]
    /// The parts of incomplete uploads by their identifiers.
    package var uploads: [String: (key: String, parts: [Int: Content])] = [:]
    /// The requests in their order, such as `PUT a.tar partNumber=1`.
    package var log: [String] = []
    /// The times of the requests.
    package var times: [Duration] = []
    var created = 0
    package var isKilled = false
  }

  private let timeline: Timeline
  /// The maximum number of objects in a page of a list.
  private let pageLength: Int
  private let fault: @Sendable (_ number: Int, S3Request) -> Fault?
  private let locked = Mutex(State())

  /// - Parameter fault: Returns the deviation of a request, whose number begins with 1.
  package init(
    timeline: Timeline, pageLength: Int = 1_000,
    fault: @escaping @Sendable (_ number: Int, S3Request) -> Fault? = { _, _ in nil }
  ) {
    (self.timeline, self.pageLength, self.fault) = (timeline, pageLength, fault)
  }

  package var state: State { locked.withLock(\.self) }

  package func change(_ body: (inout State) -> Void) { locked.withLock { body(&$0) } }

  /// Lets requests arrive again, as those of the next process.
  package func restart() { locked.withLock { $0.isKilled = false } }

  package func send(_ request: S3Request) async throws(S3Error) -> S3Response {
    try? await timeline.sleep(for: .milliseconds(10))
    let now = timeline.now
    let result = locked.withLock { state -> Result<S3Response, S3Error> in
      guard !state.isKilled else { return .failure(S3Error("killed", isRetryable: false)) }
      state.log.append(Self.description(of: request))
      state.times.append(now)
      switch fault(state.log.count, request) {
      case nil: return .success(Self.respond(to: request, &state, pageLength))
      case .status(let status, let code):
        return .success(S3Response(status, body: Array("<Error><Code>\(code)</Code></Error>".utf8)))
      case .text(let text): return .success(S3Response(200, body: Array(text.utf8)))
      case .lostRequest: return .failure(S3Error("lost", isRetryable: true))
      case .lostResponse:
        _ = Self.respond(to: request, &state, pageLength)
        return .failure(S3Error("lost", isRetryable: true))
      case .kill(let isApplied):
        if isApplied { _ = Self.respond(to: request, &state, pageLength) }
        state.isKilled = true
        return .failure(S3Error("killed", isRetryable: false))
      }
    }
    return try result.get()
  }

  private static func description(of request: S3Request) -> String {
    let query = request.query.filter { $0.name != "uploadId" }
      .map { $0.value.isEmpty ? $0.name : "\($0.name)=\($0.value)" }
    return ([request.method.rawValue, request.key] + query).joined(separator: " ")
  }

  private static func respond(to request: S3Request, _ state: inout State, _ pageLength: Int) -> S3Response {
    let query = Dictionary(uniqueKeysWithValues: request.query.map { ($0.name, $0.value) })
    if request.key.isEmpty { return list(query, state, pageLength) }
    if let id = query["uploadId"] { return respond(to: request, upload: id, query, &state) }
    switch request.method {
    case .post:
      state.created += 1
      let id = "upload-\(state.created)"
      state.uploads[id] = (request.key, [:])
      return S3Response(200, body: Array("<A><UploadId>\(id)</UploadId></A>".utf8))
    case .put:
      if request.headers.contains(where: { $0.name == "if-none-match" }), state.objects[request.key] != nil {
        return error(412, "PreconditionFailed")
      }
      state.objects[request.key] = [content(of: request.body)]
      return S3Response(200, etag: etag(state.objects[request.key] ?? []))
    case .delete:
      state.objects[request.key] = nil
      return S3Response(204)
    case .get, .head:
      guard let object = state.objects[request.key] else { return error(404, "NoSuchKey") }
      let bytes = object.flatMap { content -> [UInt8] in
        if case .bytes(let bytes) = content { bytes } else { [] }
      }
      let field = request.headers.first { $0.name == "range" }?.value
      let range = field.map { $0.dropFirst(6).split(separator: "-").compactMap { Int($0) } }
      let body: [UInt8] =
        if request.method == .head { [] } else if let range {
          Array(bytes[range[0]...min(range[1], bytes.count - 1)])
        } else { bytes }
      return S3Response(200, etag: etag(object), length: object.reduce(0) { $0 + $1.count }, body: body)
    }
  }

  private static func respond(
    to request: S3Request, upload id: String, _ query: [String: String], _ state: inout State
  ) -> S3Response {
    guard let upload = state.uploads[id], upload.key == request.key else { return error(404, "NoSuchUpload") }
    switch request.method {
    case .put:
      guard let number = query["partNumber"].flatMap({ Int($0) }) else {
        return error(400, "InvalidArgument")
      }
      let part = content(of: request.body)
      state.uploads[id]?.parts[number] = part
      return S3Response(200, etag: etag([part]))
    case .delete:
      state.uploads[id] = nil
      return S3Response(204)
    case .post:
      guard case .bytes(let body) = request.body else { return error(400, "MalformedXML") }
      let named = S3XML.groups("Part", of: ["PartNumber", "ETag"], in: body)
      let parts = upload.parts.sorted { $0.key < $1.key }
      guard named.map({ $0["ETag"] ?? "" }) == parts.map({ etag([$0.value]) }),
        named.map({ $0["PartNumber"] ?? "" }) == parts.map({ String($0.key) })
      else { return error(400, "InvalidPart") }
      state.objects[request.key] = parts.map(\.value)
      state.uploads[id] = nil
      return S3Response(200, body: Array("<CompleteMultipartUploadResult/>".utf8))
    case .get, .head:
      let parts = upload.parts.sorted { $0.key < $1.key }.map {
        "<Part><PartNumber>\($0.key)</PartNumber><ETag>\(xml(etag([$0.value])))</ETag><Size>\($0.value.count)</Size></Part>"
      }
      return S3Response(200, body: Array("<L>\(parts.joined())<IsTruncated>false</IsTruncated></L>".utf8))
    }
  }

  private static func list(_ query: [String: String], _ state: State, _ pageLength: Int) -> S3Response {
    let prefix = query["prefix"] ?? ""
    if query["uploads"] != nil {
      let uploads = state.uploads.filter { $0.value.key.hasPrefix(prefix) }.map {
        "<Upload><Key>\(xml($0.value.key))</Key><UploadId>\($0.key)</UploadId></Upload>"
      }
      return S3Response(200, body: Array("<L>\(uploads.joined())</L>".utf8))
    }
    let all = state.objects.keys.filter { key in
      key.hasPrefix(prefix) && !(query["delimiter"] != nil && key.dropFirst(prefix.count).contains("/"))
        && key > (query["continuation-token"] ?? "")
    }.sorted()
    let objects = all.prefix(pageLength).map { key in
      let parts = state.objects[key] ?? []
      return
        "<Contents><Key>\(xml(key))</Key><ETag>\(xml(etag(parts)))</ETag><Size>\(parts.reduce(0) { $0 + $1.count })</Size></Contents>"
    }
    let next =
      all.count > pageLength
      ? "<NextContinuationToken>\(xml(all[pageLength - 1]))</NextContinuationToken>" : ""
    let isTruncated = "<IsTruncated>\(!next.isEmpty)</IsTruncated>"
    return S3Response(
      200, body: Array("<ListBucketResult>\(objects.joined())\(isTruncated)\(next)</ListBucketResult>".utf8))
  }

  private static func content(of body: S3Request.Body) -> Content {
    switch body {
    case .none: return .bytes([])
    case .bytes(let bytes): return .bytes(bytes)
    case .file(let descriptor, let offset, let count):
      guard count <= 1 << 20 else { return .range(offset..<(offset + count)) }
      var bytes = [UInt8](repeating: 0, count: count)
      let read = unsafe bytes.withUnsafeMutableBytes {
        unsafe pread(descriptor, $0.baseAddress, count, off_t(offset))
      }
      return .bytes(Array(bytes.prefix(read)))
    }
  }

  private static func etag(_ parts: [Content]) -> String {
    "\"" + XXH3.hexadecimal(Array("\(parts)".utf8)) + "\""
  }

  private static func xml(_ text: String) -> String {
    var result = ""
    for character in text {
      switch character {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case "\"": result += "&quot;"
      default: result.append(character)
      }
    }
    return result
  }

  private static func error(_ status: Int, _ code: String) -> S3Response {
    S3Response(status, body: Array("<Error><Code>\(code)</Code></Error>".utf8))
  }
}
