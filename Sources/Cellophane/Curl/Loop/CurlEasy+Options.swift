internal import CCurl

#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif

/// What libcurl is told of a hop, and of all of them.
extension CurlEasy {
  /// Sets everything that does not change between exchanges; false when this libcurl cannot do what is needed.
  func setConstants(_ configuration: CurlTransport.Configuration) -> Bool {
    let protocols = configuration.allowsFiles ? "http,https,file" : "http,https"
    var isReady =
      set(CURLOPT_NOSIGNAL, 1)
      // A resolver that hangs must not hold up a cancellation.
      && set(CURLOPT_QUICK_EXIT, 1)
      && set(CURLOPT_SSL_VERIFYPEER, 1) && set(CURLOPT_SSL_VERIFYHOST, 2)
      && set(CURLOPT_FOLLOWLOCATION, 0) && set(CURLOPT_HTTP09_ALLOWED, 0)
      && set(CURLOPT_DISALLOW_USERNAME_IN_URL, 1)
      && set(CURLOPT_PROTOCOLS_STR, protocols)
      // Bodies are decoded here, where one that ends too early is noticed.
      && set(CURLOPT_HTTP_CONTENT_DECODING, 0)
      // What a proxy says before the tunnel stands is no part of the answer.
      && set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
      && set(CURLOPT_HEADEROPT, Int(CURLHEADER_SEPARATE))
      && set(CURLOPT_PROXY_SSL_VERIFYPEER, 1) && set(CURLOPT_PROXY_SSL_VERIFYHOST, 2)
      && set(CURLOPT_USERAGENT, bytes: configuration.userAgent.fieldBytes)
      // 64 KB: one read for most pictures, where the default of 16 KB needs two for 27 KB.
      && set(CURLOPT_BUFFERSIZE, 64 << 10)
      && set(CURLOPT_DNS_CACHE_TIMEOUT, addresses.lifetime)
    if let file = configuration.caFile {
      // The folder would be asked too. A proxy is somebody whom the same file vouches for.
      isReady =
        isReady && set(CURLOPT_CAINFO, file) && set(CURLOPT_CAPATH, nil)
        && set(CURLOPT_PROXY_CAINFO, file) && set(CURLOPT_PROXY_CAPATH, nil)
    }
    // Behind a proxy only the proxy's address would be checked.
    let proxy = configuration.deniesPrivateAddresses ? Proxy.direct : configuration.proxy
    if let proxy {
      // Without the second, the environment would still take hosts out.
      isReady = isReady && set(CURLOPT_PROXY, proxy.url) && set(CURLOPT_NOPROXY, "")
    }
    return isReady
  }

  /// Sets what changes with each hop.
  func setHop(_ hop: RedirectPolicy.Hop, isEncrypted: Bool) -> Bool {
    setURL(hop.url)
      && setFields(hop.headers)
      // HTTP/2 where TLS agrees on it; requests to a new host then wait for that, to share the connection.
      && set(CURLOPT_HTTP_VERSION, isEncrypted ? CURL_HTTP_VERSION_2TLS : CURL_HTTP_VERSION_1_1)
      && setWait(isEncrypted)
  }

  /// Sets how long a connection may take from now on.
  func setConnectTime(_ time: Duration) -> Bool {
    // Zero would mean libcurl's own default; a day keeps the number within its range.
    set(CURLOPT_CONNECTTIMEOUT_MS, max(1, min(time, .seconds(86_400)).millisecondsUp))
  }

  /// Sets whether libcurl looks for addresses that are too old: for the hop, and among all when that is over.
  func setAging(_ isOn: Bool) -> Bool {
    if isOn == agesAddresses { return true }
    agesAddresses = isOn
    return set(CURLOPT_DNS_CACHE_TIMEOUT, isOn ? addresses.lifetime : -1)
  }

  /// Sets whether the hop waits for a connection that is being made, and that it might share.
  func setWait(_ isOn: Bool) -> Bool { set(CURLOPT_PIPEWAIT, isOn ? 1 : 0) }

  /// Sets whether the transfer is over when its connection is there.
  func setConnectOnly(_ isOn: Bool) -> Bool { set(CURLOPT_CONNECT_ONLY, isOn ? 1 : 0) }

  private func set(_ option: CURLoption, _ value: Int) -> Bool {
    unsafe cellophane_curl_set_long(handle, option, value) == CURLE_OK
  }

  private func set(_ option: CURLoption, _ value: String?) -> Bool {
    unsafe cellophane_curl_set_string(handle, option, value) == CURLE_OK
  }

  private func set(_ option: CURLoption, bytes: [UInt8]) -> Bool {
    let text = bytes.map(CChar.init(bitPattern:)) + [0]
    return unsafe cellophane_curl_set_string(handle, option, text) == CURLE_OK
  }

  /// A URL alone libcurl takes apart, and then writes it anew from its parts. Given both, it does neither.
  private func setURL(_ url: String) -> Bool {
    unsafe url.withCString { url in
      // libcurl's copies of parts lack the zone of an IPv6 address (7.88.1), which stands in brackets.
      let isApart =
        unsafe strchr(url, Int32(UInt8(ascii: "["))) == nil
        // Of parts it does not ask whether there is a user. What cannot be taken apart it refuses itself, and says why.
        && curl_url_set(parts, CURLUPART_URL, url, UInt32(CURLU_DISALLOW_USER)) == CURLUE_OK
      return unsafe cellophane_curl_set_string(handle, CURLOPT_URL, url) == CURLE_OK
        && cellophane_curl_set_parts(handle, isApart ? parts : nil) == CURLE_OK
    }
  }

  private func setFields(_ headers: HeaderFields) -> Bool {
    // Mostly they are those of the exchange before, which the handle still has.
    if headers == fieldsSet { return true }
    // What is a proxy's business is for a proxy alone: libcurl sends no origin a field of the second list, neither
    // through a tunnel nor when there is no proxy.
    var (list, proxyList) = unsafe (
      UnsafeMutablePointer<curl_slist>?.none, UnsafeMutablePointer<curl_slist>?.none
    )
    let given = headers
    var headers = headers
    if headers["accept-encoding"] == nil {
      // A part of compressed data cannot be decoded, but behind its beginning, which then says its coding.
      headers.append("accept-encoding", headers["range"] == nil ? "gzip, deflate" : "identity")
    }
    for field in headers.fields {
      // libcurl drops a field that ends with the colon; with a semicolon it sends it empty.
      let value = field.value.fieldBytes
      var line: [CChar] = []
      // The colon, the blank and the end.
      line.reserveCapacity(field.name.utf8.count + value.count + 3)
      line += field.name.utf8.lazy.map(CChar.init(bitPattern:))
      line += (value.isEmpty ? ";" : ": ").utf8.lazy.map(CChar.init(bitPattern:))
      line += value.lazy.map(CChar.init(bitPattern:))
      line.append(0)
      let isForProxy = field.name.hasPrefix("proxy-")
      guard let longer = unsafe curl_slist_append(isForProxy ? proxyList : list, line) else {
        unsafe curl_slist_free_all(list)
        unsafe curl_slist_free_all(proxyList)
        return false
      }
      if isForProxy { unsafe proxyList = longer } else { unsafe list = longer }
    }
    let isSet =
      unsafe cellophane_curl_set_list(handle, CURLOPT_HTTPHEADER, list) == CURLE_OK
      && cellophane_curl_set_list(handle, CURLOPT_PROXYHEADER, proxyList) == CURLE_OK
    unsafe keep(list, proxyList, of: isSet ? given : nil)
    return isSet
  }
}
