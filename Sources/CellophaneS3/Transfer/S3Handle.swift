internal import CCurl
internal import CellophaneCore

/// An easy handle of libcurl, used for one request after another by its ``CurlConnection``.
///
/// The context of libcurl's callbacks is this object, unretained: they run only within ``perform(_:)``.
@safe final class S3Handle {
  private let handle: UnsafeMutableRawPointer
  /// The buffer for libcurl's error messages.
  private let errorBuffer: UnsafeMutablePointer<CChar>
  private var fields: UnsafeMutablePointer<curl_slist>?
  private var receiver = S3ResponseReceiver()

  /// Creates a handle; nil if libcurl is out of memory.
  init?() {
    guard let handle = unsafe curl_easy_init() else { return nil }
    unsafe self.handle = handle
    unsafe errorBuffer = .allocate(capacity: Int(CURL_ERROR_SIZE))
    unsafe errorBuffer.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
  }

  deinit {
    unsafe curl_easy_cleanup(handle)
    unsafe curl_slist_free_all(fields)
    unsafe errorBuffer.deallocate()
  }

  var response: S3Response { receiver.response(status: Int(unsafe cellophane_curl_status(handle))) }

  /// Sets all options of a request except its content; false if libcurl lacks one.
  func prepare(_ request: S3Request, _ configuration: CurlS3Transport.Configuration) -> Bool {
    // Keeps the connection.
    unsafe curl_easy_reset(handle)
    unsafe errorBuffer.pointee = 0
    receiver = S3ResponseReceiver()
    let credentials = configuration.credentials
    var isReady =
      set(CURLOPT_URL, configuration.endpoint.url(of: request))
      && set(CURLOPT_AWS_SIGV4, "aws:amz:\(configuration.endpoint.region):s3")
      && set(CURLOPT_USERNAME, credentials.accessKey) && set(CURLOPT_PASSWORD, credentials.secretKey)
      // Keys may contain empty parts and dots.
      && set(CURLOPT_PATH_AS_IS, 1)
      && set(CURLOPT_USERAGENT, configuration.userAgent)
      // S3 has no HTTP/2.
      && set(CURLOPT_HTTP_VERSION, CURL_HTTP_VERSION_1_1)
      && set(CURLOPT_NOSIGNAL, 1)
      && set(CURLOPT_HTTP_CONTENT_DECODING, 0)
      && set(CURLOPT_CONNECTTIMEOUT_MS, 10_000)
      // Ends a request after a minute without a byte. While S3 joins the parts of an object, it sends white space.
      && set(CURLOPT_LOW_SPEED_LIMIT, 1) && set(CURLOPT_LOW_SPEED_TIME, 60)
      // libcurl asks for a permission to send more than 1 MB (Expect: 100-continue), and would wait a second for servers that
      // do not know that. A field without a value would remove the question, but libcurl 7.88 signs such fields.
      && set(CURLOPT_EXPECT_100_TIMEOUT_MS, 1)
      // 512 KB: an eighth of the system calls of the default for a part of an archive.
      && set(CURLOPT_UPLOAD_BUFFERSIZE, 512 << 10)
      && setFields(of: request, credentials) && setMethod(of: request) && setReceivers()
    if let file = configuration.caFile {
      isReady = isReady && set(CURLOPT_CAINFO, file) && set(CURLOPT_CAPATH, nil)
    }
    if let proxy = configuration.proxy {
      isReady = isReady && set(CURLOPT_PROXY, proxy) && set(CURLOPT_NOPROXY, "")
    }
    return isReady
  }

  /// Sends the request with its content and receives the response. Blocks.
  func perform(_ body: S3Request.Body) -> CURLcode {
    switch body {
    case .none: return unsafe curl_easy_perform(handle)
    case .bytes(let bytes):
      return unsafe bytes.withUnsafeBufferPointer { buffer in
        let upload = unsafe cellophane_curl_upload(
          bytes: buffer.baseAddress, file: -1, start: 0, length: Int64(buffer.count), position: 0)
        return unsafe perform(upload)
      }
    case .file(let descriptor, let offset, let count):
      return unsafe perform(
        cellophane_curl_upload(
          bytes: nil, file: descriptor, start: Int64(offset), length: Int64(count), position: 0))
    }
  }

  /// Returns the error for a request without a complete response.
  func error(_ code: CURLcode) -> S3Error {
    let detail = unsafe String(cString: errorBuffer)
    let text = unsafe detail.isEmpty ? String(cString: curl_easy_strerror(code)) : detail
    let permanent: [CURLcode] = [
      CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CACERT_BADFILE, CURLE_URL_MALFORMAT, CURLE_READ_ERROR,
      CURLE_ABORTED_BY_CALLBACK, CURLE_WRITE_ERROR,
    ]
    return S3Error(text, isRetryable: !permanent.contains { $0 == code })
  }

  private func perform(_ upload: cellophane_curl_upload) -> CURLcode {
    var upload = unsafe upload
    return unsafe withUnsafeMutablePointer(to: &upload) { upload in
      let status = unsafe cellophane_curl_set_upload(handle, upload)
      return unsafe status == CURLE_OK ? curl_easy_perform(handle) : status
    }
  }

  private func setMethod(of request: S3Request) -> Bool {
    // libcurl waits for no body then.
    if request.method == .head { return set(CURLOPT_NOBODY, 1) }
    return request.method == .get || set(CURLOPT_CUSTOMREQUEST, request.method.rawValue)
  }

  private func setFields(of request: S3Request, _ credentials: S3Credentials) -> Bool {
    unsafe curl_slist_free_all(fields)
    unsafe fields = nil
    // TLS protects the content, so its hash is not computed. Servers accept that also without TLS.
    var lines = ["x-amz-content-sha256: UNSIGNED-PAYLOAD"]
    if let token = credentials.sessionToken { lines.append("x-amz-security-token: " + token) }
    lines += request.headers.map { $0.name + ": " + $0.value }
    for line in lines {
      guard let longer = unsafe curl_slist_append(fields, line) else { return false }
      unsafe fields = longer
    }
    return unsafe cellophane_curl_set_list(handle, CURLOPT_HTTPHEADER, fields) == CURLE_OK
  }

  private func setReceivers() -> Bool {
    unsafe cellophane_curl_set_receivers(
      handle, Unmanaged.passUnretained(self).toOpaque(), onHead, onBody, errorBuffer) == CURLE_OK
  }

  private func set(_ option: CURLoption, _ value: Int) -> Bool {
    unsafe cellophane_curl_set_long(handle, option, value) == CURLE_OK
  }

  private func set(_ option: CURLoption, _ value: String?) -> Bool {
    unsafe cellophane_curl_set_string(handle, option, value) == CURLE_OK
  }

  fileprivate func receiveHead(_ line: UnsafeRawBufferPointer) { unsafe receiver.receiveHead(Array(line)) }

  fileprivate func receiveBody(_ bytes: UnsafeRawBufferPointer) -> Bool {
    unsafe receiver.receiveBody(Array(bytes))
  }
}

private let onHead: cellophane_curl_receive = { bytes, size, count, context in
  guard let context = unsafe context else { return 0 }
  unsafe Unmanaged<S3Handle>.fromOpaque(context).takeUnretainedValue()
    .receiveHead(UnsafeRawBufferPointer(start: bytes, count: count))
  return count
}

private let onBody: cellophane_curl_receive = { bytes, size, count, context in
  guard let context = unsafe context else { return 0 }
  let isTaken = unsafe Unmanaged<S3Handle>.fromOpaque(context).takeUnretainedValue()
    .receiveBody(UnsafeRawBufferPointer(start: bytes, count: count))
  return isTaken ? count : 0
}
