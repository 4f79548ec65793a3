internal import Cellophane

// The code of Sources/Cellophane/Cellophane.docc/Security.md.

/// A loader for URLs that strangers supply.
func publicLoader(cachedIn directory: String) -> ByteLoader {
  var configuration = ByteLoader.Configuration()
  configuration.limits.bodyBytes = 20 << 20
  configuration.limits.redirects = 5
  configuration.limits.total = .seconds(15)
  return ByteLoader(
    transport: CurlTransport(.server), disk: DiskCache(directory: directory), configuration: configuration)
}

/// A request with a credential, whose response may be stored on disk for one account.
func profileRequest(_ url: String, token: String) throws(LoadError) -> Request<NoOptions> {
  try Request(
    url, headers: ["authorization": "Bearer \(token)"], account: "user-7", options: NoOptions())
}

/// A transport that trusts the certificates of a file instead of the system's.
func transport(trusting file: String) -> CurlTransport {
  var configuration = CurlTransport.Configuration()
  configuration.caFile = file
  return CurlTransport(configuration)
}

/// A transport for images of two origins, one of them inside the company's network.
func makeOriginTransport() -> CurlTransport {
  let rules = AddressRules.publicOnly.allowing("10.1.0.0/16", "fd12:3456::/32")
  return CurlTransport(.init(addresses: rules.onlyHosts("images.corp.example", "*.cdn.example")))
}
