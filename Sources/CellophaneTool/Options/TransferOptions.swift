internal import Cellophane

/// The cache and network options of commands that load from URLs.
///
/// Not an option group: each level of groups makes the parsing at each start 2 to 4 % slower.
struct TransferOptions {
  var storage: StorageOptions
  var connection: ConnectionOptions

  /// Checks that `url` may be loaded.
  ///
  /// - Throws: ``LoadError/Kind/refused`` for a file URL, unless `allowsFiles`.
  static func check(_ url: String, allowsFiles: Bool) throws(LoadError) {
    guard allowsFiles || String(url.utf8.prefix(5))?.lowercased() != "file:" else {
      throw LoadError(.refused, "\(url) is a file; allow files with --allow-files")
    }
  }

  /// Returns a loader with these options.
  ///
  /// - Parameters:
  ///   - eventLoops: The number of threads for transfers.
  ///   - onLoops: True to run the loads and their callers on these threads too.
  func byteLoader(
    eventLoops: Int = 1, onLoops: Bool = false, _ adjust: (inout ByteLoader.Configuration) -> Void = { _ in }
  ) throws(LoadError) -> ByteLoader {
    var transport =
      connection.deniesPrivate ? CurlTransport.Configuration.server : CurlTransport.Configuration()
    transport.allowsFiles = connection.allowsFiles
    transport.allowsDowngrade = connection.allowsDowngrade
    transport.caFile = connection.cacert
    transport.userAgent = connection.agent
    transport.proxy = try connection.explicitProxy()
    transport.eventLoops = eventLoops
    var configuration = ByteLoader.Configuration()
    configuration.limits.total = connection.timeout.duration
    configuration.limits.bodyBytes = connection.maxBytes.bytes
    configuration.refreshesInBackground = false
    configuration.queryRules = storage.queryRules
    configuration.ignoredHeaders = Set(storage.ignoredHeaders)
    adjust(&configuration)
    let curl = CurlTransport(transport)
    let timeline = Timeline(executor: onLoops ? curl.executor : nil)
    return ByteLoader(
      transport: curl, disk: try storage.disk(), configuration: configuration, timeline: timeline)
  }
}
