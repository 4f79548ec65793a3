internal import Cellophane
internal import CellophaneBatch

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// The parts of a run.
extension Prefetch {
  /// Returns the processing of the records.
  func work(over bytes: ByteLoader, _ output: (any BatchOutput)?) throws -> BatchWork {
    var picture = decoding.options(keepsColors: files.keepMetadata)
    // Without an output of another format, bodies are written as they are.
    picture.discardsPixels =
      !decoding.changesPixels && records.cropColumns == nil
      && (files.output == nil || files.outputFormat ?? .original == .original)
    var order = BatchWork.Options(
      picture: loading.kind == .image ? picture : nil, decoder: pixels.decoder, filter: sizes.filter,
      headers: try connection.requestHeaders(),
      cachePolicy: storage.policy, addsHashes: loading.jsonl != nil || files.isWebDataset,
      shard: input.part
    ) { [allowsFiles = connection.allowsFiles] url throws(LoadError) in
      try TransferOptions.check(url, allowsFiles: allowsFiles)
    }
    order.columns = try records.columns()
    (order.hash, order.addsEXIF) = (records.hash ?? .xxh3, records.exif)
    return BatchWork(order, bytes: bytes, output: output)
  }

  /// - Parameter onLoops: True to process records on the threads of the transfers. Not for work that may block or decodes
  ///   images: the transfers would stop in the meantime.
  func loader(onLoops: Bool) throws -> ByteLoader {
    // Four: the small files that they load in a second keep eight processors busy.
    let loops = min(ProcessInfo.processInfo.activeProcessorCount, 4)
    let agent = try connection.requestHeaders()["user-agent"]
    let robot = OptOut.robot(of: agent ?? connection.agent)
    let policies =
      records.robots
      ? OriginPolicies(
        robot: robot, agent: agent, cachePolicy: storage.policy, readsReservations: respectsOptOuts) : nil
    var used = ByteLoader.Configuration()
    let bytes = try transfer.byteLoader(eventLoops: loops, onLoops: onLoops) { configuration in
      configuration.transfers = loading.jobs
      configuration.transfersPerOrigin = loading.perHost ?? loading.jobs
      // Nothing is visible, so no transfer is reserved for visible images.
      configuration.reservedForVisible = 0
      // The batch itself repeats the records of a host after a pause.
      configuration.retry.waitsForOrigins = false
      let (filter, decoder) = (sizes.filter, pixels.decoder)
      if loading.kind == .image, !filter.isEmpty {
        configuration.judgeBody = { filter.verdict(on: $0, decoder) }
      }
      let optOut = respectsOptOuts ? OptOut(robot: robot) : nil
      if optOut != nil || policies != nil {
        configuration.admit = { url async throws(LoadError) in
          let isReserved = try await policies?.check(url) ?? false
          return { optOut?.refusal($0, isReserved: isReserved) }
        }
      }
      used = configuration
    }
    policies?.use(bytes, used)
    return bytes
  }

  /// True if images are left out whose owners forbid the use in data sets.
  private var respectsOptOuts: Bool { loading.kind == .image && files.output != nil && !files.ignoresOptOut }
}
