#if canImport(FoundationEssentials)
  public import struct FoundationEssentials.URL
#else
  public import struct Foundation.URL
#endif

/// A request for an image.
public typealias ImageRequest = Request<ImageOptions>

extension Request where Options == ImageOptions {
  /// Creates a request for the image at `url`, decoded to `size`, or to its own size if nil, and then changed by
  /// `processors`.
  public init(
    _ url: String, size: PixelSize? = nil, mode: ResizeMode = .fit, processors: [ImageProcessing] = [],
    headers: HeaderFields = [:], account: String? = nil, priority: Priority = .normal,
    cachePolicy: CachePolicy = .standard, deadline: Duration? = nil
  ) throws(LoadError) {
    var options = ImageOptions(targetSize: size, mode: mode)
    if !processors.isEmpty { options.processors = processors }
    try self.init(
      url, headers: headers, account: account, options: options, priority: priority, cachePolicy: cachePolicy,
      deadline: deadline)
  }

  /// Creates a request for the image at `url`, decoded to `size`, or to its own size if nil, and then changed by
  /// `processors`.
  public init(
    _ url: URL, size: PixelSize? = nil, mode: ResizeMode = .fit, processors: [ImageProcessing] = [],
    headers: HeaderFields = [:], account: String? = nil, priority: Priority = .normal,
    cachePolicy: CachePolicy = .standard, deadline: Duration? = nil
  ) throws(LoadError) {
    try self.init(
      url.absoluteString, size: size, mode: mode, processors: processors, headers: headers, account: account,
      priority: priority, cachePolicy: cachePolicy, deadline: deadline)
  }

  /// Creates a request for the image at `url` of `source`; see ``Request/init(_:from:options:priority:deadline:)``.
  public init(
    _ url: String, from source: some ResourceSource, size: PixelSize? = nil, mode: ResizeMode = .fit,
    processors: [ImageProcessing] = [], priority: Priority = .normal, deadline: Duration? = nil
  ) throws(LoadError) {
    var options = ImageOptions(targetSize: size, mode: mode)
    if !processors.isEmpty { options.processors = processors }
    try self.init(url, from: source, options: options, priority: priority, deadline: deadline)
  }
}
