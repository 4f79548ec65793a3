internal import ArgumentParser
internal import Cellophane
internal import CellophaneBatch
internal import CellophaneS3

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// An output in an object store.
extension OutputOptions {
  /// The store of `--output s3://bucket/prefix`.
  struct ObjectStore {
    let client: S3Client
    /// The text that determines the staging folder: the URL of the server and the location.
    let name: String
    fileprivate let storage: StorageOptions

    /// Returns the directory of the staging folders. Also with `--no-cache`, which concerns responses: an interrupted upload
    /// is resumed from there.
    ///
    /// - Throws: ``LoadError/Kind/invalidRequest`` without a directory for caches.
    func stagingParent() throws(LoadError) -> String {
      try CacheDirectory.resolve(storage.directory, isOptional: false) + "/staging"
    }
  }

  /// The maximum number of concurrent requests. 16: about 300 files of 30 KB per second at 50 ms to the response. Each takes
  /// a thread.
  private static let connections = 16

  /// Checks the location and the endpoint.
  ///
  /// - Throws: `ValidationError` if one is not valid.
  func checkLocation() throws {
    guard let output, S3Location.isLocation(output) else {
      let parts = (output ?? "").split(separator: "://", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 1 else {
        throw ValidationError(
          "--output writes to directories and to s3://bucket/prefix, not to \(parts[0])://; for a directory of this name, "
            + "write ./ before it")
      }
      if s3Endpoint != nil { throw ValidationError("--s3-endpoint needs --output s3://bucket/prefix") }
      return
    }
    do throws(LoadError) {
      let location = try S3Location(output)
      if let s3Endpoint { _ = try S3Endpoint(s3Endpoint, bucket: location.bucket, region: "us-east-1") }
    } catch { throw ValidationError(error.message) }
  }

  /// Returns the store; nil for a directory.
  ///
  /// - Throws: ``LoadError/Kind/io`` without credentials.
  func objectStore(_ transfer: TransferOptions) throws(LoadError) -> ObjectStore? {
    guard let output, S3Location.isLocation(output) else { return nil }
    try Platform.checkThreads(Platform.leastThreads + Self.connections)
    let environment = ProcessInfo.processInfo.environment.filter { !$0.value.isEmpty }
    let location = try S3Location(output)
    let url = s3Endpoint ?? environment["AWS_ENDPOINT_URL_S3"] ?? environment["AWS_ENDPOINT_URL"]
    let region = environment["AWS_REGION"] ?? environment["AWS_DEFAULT_REGION"] ?? "us-east-1"
    let endpoint = try S3Endpoint(url, bucket: location.bucket, region: region)
    let credentials = try S3Credentials.find(in: environment) { path throws(LoadError) in
      guard Platform.size(ofFileAt: path) != nil else { return nil }
      var bytes: [UInt8] = []
      try FileIO.read(path) { bytes += $0 }
      return String(decoding: bytes, as: UTF8.self)
    }
    var configuration = CurlS3Transport.Configuration(
      endpoint, credentials, userAgent: transfer.connection.agent)
    configuration.caFile = transfer.connection.cacert
    configuration.proxy = transfer.connection.proxy
    let client = S3Client(
      location, over: CurlS3Transport(configuration, connections: Self.connections), timeline: Timeline())
    return ObjectStore(
      client: client, name: endpoint.description + " " + location.description, storage: transfer.storage)
  }
}
