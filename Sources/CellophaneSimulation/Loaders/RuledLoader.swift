internal import Cellophane
internal import CellophaneResults

/// A loader that follows the ``LoaderRules`` of an image library.
final class RuledLoader: RowLoader {
  private let rules: LoaderRules
  private let context: LoaderContext
  private let policy: any PrefetchPolicy
  private var images: RuledCache<RowImage>
  private var files: RuledCache<[UInt8]>
  /// The images that cells show, by slot, if they are apart from the memory cache.
  private var shown: [Int: (key: String, image: RowImage)] = [:]
  /// The load of each slot that waits for one.
  private var loads: [Int: RuledLoad] = [:]
  /// The loads that a request of the same image can share, by key.
  private var shared: [String: RuledLoad] = [:]
  /// The loads ahead, by row.
  private var ahead: [Int: RuledLoad] = [:]
  /// The rows to load ahead that have not started.
  private var rowsAhead: [Int] = []
  /// The rows of the last prefetch. UIKit and Glide's preloader request a row once, when it enters them.
  private var wanted: Set<Int> = []
  private var running: [Int: RuledLoad] = [:]
  private var transfers: RuledQueue
  private var decodings: RuledQueue
  private var begun = 0

  /// Creates a loader with the sizes of the caches of `context`.
  init(_ rules: LoaderRules, prefetch: PrefetchRule, _ context: LoaderContext) {
    self.rules = rules
    self.context = context
    policy = prefetch.policy
    images = RuledCache(
      limit: context.caches.memoryBytes, largestShare: rules.largestShare, rules.eviction)
    files = RuledCache(limit: context.caches.diskBytes)
    transfers = RuledQueue(places: rules.transfers, isAheadLast: rules.isAheadLast)
    decodings = RuledQueue(places: rules.decoders, isAheadLast: rules.isAheadLast)
  }

  func bind(_ slot: Int, to row: Int, isolation: isolated any Actor) {
    guard let request = context.request(of: row) else { return }
    let key = Self.key(of: request)
    if let image = image(for: key) { return show(image, key, in: slot, from: .memory) }
    // A row that was loaded ahead goes on with its load.
    let load = ahead[row] ?? shared[key] ?? add(request, key)
    load.slots.insert(slot)
    loads[slot] = load
    advance(isolation: isolation)
  }

  func unbind(_ slot: Int, isolation: isolated any Actor) {
    if let (key, image) = shown.removeValue(forKey: slot) { images.insert(image, of: image.cost, for: key) }
    guard let load = loads.removeValue(forKey: slot) else { return }
    load.slots.remove(slot)
    dropIfUnwanted(load)
    advance(isolation: isolation)
  }

  func scroll(_ motion: ListMotion, isolation: isolated any Actor) {
    // The rules of image libraries do not depend on the time of a load.
    let rows = policy.rows(for: motion, loadTime: .zero)
    let (wanted, pending) = (Set(rows), Set(rowsAhead))
    for (row, load) in ahead.sorted(by: { $0.key < $1.key }) where !wanted.contains(row) {
      ahead[row] = nil
      load.isAhead = false
      dropIfUnwanted(load)
    }
    rowsAhead = rows.filter { pending.contains($0) || !self.wanted.contains($0) }
    self.wanted = wanted
    advance(isolation: isolation)
  }

  func releaseMemory(isolation: isolated any Actor) { images.removeAll() }

  func end(isolation: isolated any Actor) {
    rowsAhead = []
    for load in running.values.sorted(by: { $0.number < $1.number }) { load.task?.cancel() }
  }

  private static func key(of request: ImageRequest) -> String {
    let size = request.options.targetSize.map { "\($0.width)x\($0.height)" } ?? ""
    return request.url + " " + size
  }

  /// Returns the image for `key` in memory.
  private func image(for key: String) -> RowImage? {
    if let image = images.value(of: key) { return image }
    return shown.values.first { $0.key == key }?.image
  }

  private func show(_ image: RowImage, _ key: String, in slot: Int, from source: Source) {
    if rules.keepsShownApart { shown[slot] = (key, image) }
    context.show(image, in: slot, from: source)
  }

  private func add(_ request: ImageRequest, _ key: String) -> RuledLoad {
    let load = RuledLoad(begun, request, key)
    begun += 1
    if rules.sharesTransfers { shared[key] = load }
    if let file = files.value(of: request.url) {
      load.file = file
      load.source = .disk
      decodings.waiting.append(load)
    } else {
      transfers.waiting.append(load)
    }
    return load
  }

  /// Ends `load` if no slot and no prefetch needs it. A decoding runs to its end.
  private func dropIfUnwanted(_ load: RuledLoad) {
    guard load.slots.isEmpty, !load.isAhead else { return }
    if transfers.remove(load) {
      forget(load)
    } else if decodings.remove(load) {
      finish(load, holdsTransfer: rules.decodesInTransfer && load.source == .network)
    } else if load.file == nil {
      forget(load)
      if rules.abortsTransfers { load.task?.cancel() }
    }
  }

  /// Removes `load` from the loads that others can share.
  private func forget(_ load: RuledLoad) {
    if shared[load.key] === load { shared[load.key] = nil }
    for (row, one) in ahead where one === load { ahead[row] = nil }
  }

  /// Starts all loads, transfers and decodings that have a place.
  private func advance(isolation: isolated any Actor) {
    startAhead()
    while let load = transfers.start() { transfer(load, isolation: isolation) }
    while let load = decodings.start() { decode(load, isolation: isolation) }
  }

  /// Starts loads ahead.
  private func startAhead() {
    while ahead.count < rules.loadsAhead ?? .max, !rowsAhead.isEmpty {
      let row = rowsAhead.removeFirst()
      guard let request = context.request(of: row) else { continue }
      let key = Self.key(of: request)
      guard !images.contains(key), !shown.values.contains(where: { $0.key == key }) else { continue }
      if !rules.readsAhead, files.contains(request.url) { continue }
      let load = shared[key] ?? add(request, key)
      load.isAhead = true
      ahead[row] = load
    }
  }

  private func transfer(_ load: RuledLoad, isolation: isolated any Actor) {
    running[load.number] = load
    load.task = context.timeline.spawn(priority: .userInitiated) { [self] in
      _ = isolation
      do throws(LoadError) {
        let response = try await context.transport.exchange(TransportRequest(url: load.request.url))
        guard (200..<300).contains(response.status) else {
          throw LoadError(.status, "status \(response.status)")
        }
        files.insert(response.body, of: response.body.count, for: load.request.url)
        load.file = response.body
        if load.slots.isEmpty, !load.isAhead {
          finish(load, holdsTransfer: true)
        } else {
          decodings.waiting.append(load)
          if !rules.decodesInTransfer { transfers.end() }
        }
      } catch {
        fail(load, with: error)
        transfers.end()
      }
      advance(isolation: isolation)
    }
  }

  private func decode(_ load: RuledLoad, isolation: isolated any Actor) {
    running[load.number] = load
    let holdsTransfer = rules.decodesInTransfer && load.source == .network
    load.task = context.timeline.spawn(priority: .userInitiated) { [self] in
      _ = isolation
      do throws(LoadError) {
        let image = try await context.decode(load.file ?? [], for: load.request)
        if !rules.keepsShownApart || load.slots.isEmpty {
          images.insert(image, of: image.cost, for: load.key)
        }
        for slot in load.slots.sorted() {
          loads[slot] = nil
          show(image, load.key, in: slot, from: load.source)
        }
        finish(load, holdsTransfer: holdsTransfer)
      } catch {
        fail(load, with: error)
        if holdsTransfer { transfers.end() }
      }
      decodings.end()
      advance(isolation: isolation)
    }
  }

  private func finish(_ load: RuledLoad, holdsTransfer: Bool) {
    running[load.number] = nil
    forget(load)
    if holdsTransfer { transfers.end() }
  }

  private func fail(_ load: RuledLoad, with error: LoadError) {
    running[load.number] = nil
    forget(load)
    for slot in load.slots.sorted() {
      loads[slot] = nil
      context.fail(slot, with: error)
    }
  }
}
