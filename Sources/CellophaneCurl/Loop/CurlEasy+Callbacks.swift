internal import CCurl

/// The callbacks of libcurl. Their context is this object, unretained: see ``CurlEasy``.
extension CurlEasy {
  /// Makes libcurl call this object and write error messages to `errorBuffer`.
  func setCallbacks(_ errorBuffer: UnsafeMutablePointer<CChar>) -> Bool {
    let callbacks = unsafe cellophane_curl_callbacks(
      context: Unmanaged.passUnretained(self).toOpaque(), head: onHead, body: onBody,
      error: errorBuffer, lookup: onLookUp, sending: onSending, open: onOpen, close: onClose,
      sockets: Unmanaged.passUnretained(sockets).toOpaque())
    return unsafe cellophane_curl_set_callbacks(handle, callbacks) == CURLE_OK
  }
}

private func easy(_ context: UnsafeMutableRawPointer) -> CurlEasy {
  unsafe Unmanaged<CurlEasy>.fromOpaque(context).takeUnretainedValue()
}

private let onHead: cellophane_curl_receive = { bytes, size, count, context in
  guard let context = unsafe context else { return 0 }
  return unsafe easy(context).receiveHead(UnsafeRawBufferPointer(start: bytes, count: count)) ? count : 0
}

private let onBody: cellophane_curl_receive = { bytes, size, count, context in
  guard let context = unsafe context else { return 0 }
  return unsafe easy(context).receiveBody(UnsafeRawBufferPointer(start: bytes, count: count)) ? count : 0
}

private let onLookUp: curl_resolver_start_callback = { _, _, context in
  if let context = unsafe context { unsafe easy(context).noteLookUp() }
  return 0
}

private let onSending: curl_prereq_callback = { context, remoteIP, localIP, remotePort, localPort in
  guard let context = unsafe context, let remoteIP = unsafe remoteIP, let localIP = unsafe localIP else {
    return CURL_PREREQFUNC_OK
  }
  let endpoints = unsafe CurlSockets.Endpoints(
    local: .init(ip: String(cString: localIP), port: localPort),
    remote: .init(ip: String(cString: remoteIP), port: remotePort))
  return unsafe easy(context).noteRequestSent(between: endpoints) ? CURL_PREREQFUNC_OK : CURL_PREREQFUNC_ABORT
}

private let onClose: curl_closesocket_callback = { context, socket in
  if let context = unsafe context {
    unsafe Unmanaged<CurlSockets>.fromOpaque(context).takeUnretainedValue().forget(socket)
  }
  return cellophane_curl_close(socket)
}

private let onOpen: curl_opensocket_callback = { context, _, address in
  guard let context = unsafe context, let address = unsafe address else { return CURL_SOCKET_BAD }
  var ip = [UInt8](repeating: 0, count: 16)
  let length = Int(unsafe cellophane_curl_ip(address, &ip))
  guard unsafe easy(context).allows(Array(ip[..<length])) else { return CURL_SOCKET_BAD }
  return unsafe easy(context).open(address)
}
