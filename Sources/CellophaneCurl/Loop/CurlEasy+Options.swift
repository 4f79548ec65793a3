internal import CCurl

#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif

/// The options for one hop and for all hops.
extension CurlEasy {
  /// Sets all options that do not change between exchanges; false if this libcurl lacks a required feature.
  func setConstants(_ configuration: CurlTransport.Configuration) -> Bool {
    let protocols = configuration.allowsFiles ? "http,https,file" : "http,https"
    var isReady =
      set(CURLOPT_NOSIGNAL, 1)
      // A resolver that hangs must not delay a cancellation.
      && set(CURLOPT_QUICK_EXIT, 1)
      && set(CURLOPT_SSL_VERIFYPEER, 1) && set(CURLOPT_SSL_VERIFYHOST, 2)
      && set(CURLOPT_FOLLOWLOCATION, 0) && set(CURLOPT_HTTP09_ALLOWED, 0)
      && set(CURLOPT_DISALLOW_USERNAME_IN_URL, 1)
      && set(CURLOPT_PROTOCOLS_STR, protocols)
      // Bodies are decoded by ``ResponseParser``, which detects truncated ones.
      && set(CURLOPT_HTTP_CONTENT_DECODING, 0)
      // The proxy's response to CONNECT is not part of the origin's response.
      && set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
      && set(CURLOPT_HEADEROPT, Int(CURLHEADER_SEPARATE))
      && set(CURLOPT_PROXY_SSL_VERIFYPEER, 1) && set(CURLOPT_PROXY_SSL_VERIFYHOST, 2)
      && set(CURLOPT_USERAGENT, bytes: configuration.userAgent.fieldBytes)
      // 64 KB: one read for most images; the default of 16 KB needs two for 27 KB.
      && set(CURLOPT_BUFFERSIZE, 64 << 10)
      && set(CURLOPT_DNS_CACHE_TIMEOUT, addresses.lifetime)
    if let file = configuration.caFile {
      // Without the empty path, certificates from the system's directory would be trusted too. The file also
      // applies to proxies.
      isReady =
        isReady && set(CURLOPT_CAINFO, file) && set(CURLOPT_CAPATH, nil)
        && set(CURLOPT_PROXY_CAINFO, file) && set(CURLOPT_PROXY_CAPATH, nil)
    }
    // With a proxy, the check would see only the proxy's address.
    let proxy = configuration.addresses.isPublicOnly ? Proxy.direct : configuration.proxy
    if let proxy {
      // Without CURLOPT_NOPROXY, the environment could still exempt hosts.
      isReady = isReady && set(CURLOPT_PROXY, proxy.url) && set(CURLOPT_NOPROXY, "")
    }
    return isReady
  }

  /// Sets the options of a hop.
  func setHop(_ hop: RedirectPolicy.Hop, mayUseHTTP2: Bool) -> Bool {
    setURL(hop.url)
      && setFields(hop.headers)
      // HTTP/2 if TLS negotiates it. Requests to a new host then wait for the negotiation in order to share
      // the connection.
      && set(CURLOPT_HTTP_VERSION, mayUseHTTP2 ? CURL_HTTP_VERSION_2TLS : CURL_HTTP_VERSION_1_1)
      && setMultiplexWait(mayUseHTTP2)
  }

  /// Sets the remaining time to set up a connection.
  func setConnectTime(_ time: Duration) -> Bool {
    // Zero would select libcurl's default; a day keeps the number in range.
    set(CURLOPT_CONNECTTIMEOUT_MS, max(1, min(time, .seconds(86_400)).millisecondsUp))
  }

  /// Sets whether libcurl purges expired addresses: for the host at the start, and for all hosts at the end
  /// of the hop.
  func setAddressPurge(_ isOn: Bool) -> Bool {
    if isOn == purgesAddresses { return true }
    purgesAddresses = isOn
    return set(CURLOPT_DNS_CACHE_TIMEOUT, isOn ? addresses.lifetime : -1)
  }

  /// Sets whether the hop waits for a connection in setup that it could share.
  func setMultiplexWait(_ isOn: Bool) -> Bool { set(CURLOPT_PIPEWAIT, isOn ? 1 : 0) }

  /// Sets whether the transfer ends when its connection is set up.
  func setConnectOnly(_ isOn: Bool) -> Bool { set(CURLOPT_CONNECT_ONLY, isOn ? 1 : 0) }

  /// Sets whether the connection is closed at the end of the hop. libcurl reads this at the end.
  func setForbidReuse(_ isOn: Bool) -> Bool { set(CURLOPT_FORBID_REUSE, isOn ? 1 : 0) }

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

  /// libcurl parses a URL and builds it again from its parts. With both given, it does neither.
  private func setURL(_ url: String) -> Bool {
    unsafe url.withCString { url in
      // libcurl 7.88.1 drops the zone of an IPv6 address, which is in brackets, when it copies the parts.
      let isApart =
        unsafe strchr(url, Int32(UInt8(ascii: "["))) == nil
        // For parts, libcurl does not check for a user name. It rejects a URL that cannot be parsed, with a
        // message.
        && curl_url_set(parts, CURLUPART_URL, url, UInt32(CURLU_DISALLOW_USER)) == CURLUE_OK
      return unsafe cellophane_curl_set_string(handle, CURLOPT_URL, url) == CURLE_OK
        && cellophane_curl_set_parts(handle, isApart ? parts : nil) == CURLE_OK
    }
  }

  private func setFields(_ headers: HeaderFields) -> Bool {
    // Usually they equal those of the previous exchange, which the handle still has.
    if headers == currentFields { return true }
    // Proxy fields are for a proxy only: libcurl does not send the second list to an origin, neither through
    // a tunnel nor without a proxy.
    var (list, proxyList) = unsafe (
      UnsafeMutablePointer<curl_slist>?.none, UnsafeMutablePointer<curl_slist>?.none
    )
    let given = headers
    var headers = headers
    if headers["accept-encoding"] == nil {
      // A range of compressed data can be decoded only after its beginning. A request for the rest of a
      // beginning already names its coding.
      headers.append("accept-encoding", headers["range"] == nil ? "gzip, deflate" : "identity")
    }
    for field in headers.fields {
      // libcurl drops a field that endpoints with the colon; with a semicolon it sends an empty field.
      let value = field.value.fieldBytes
      var line: [CChar] = []
      // The colon, the space and the terminator.
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
