internal import CCurl

/// The state of libcurl in the process.
package enum CurlLibrary {
  /// True if libcurl and its libraries are initialized; the first access initializes them.
  package static let isReady = curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK
}
