internal import Cellophane

// The code of Sources/Cellophane/Cellophane.docc/GettingStarted.md.

/// The loaders of an app: one byte loader, and one loader for each type of value.
struct Gallery: Sendable {
  let transport = CurlTransport()
  let bytes: ByteLoader
  let images: ImageLoader

  init(cacheDirectory: String) {
    bytes = ByteLoader(transport: transport, disk: DiskCache(directory: cacheDirectory))
    images = ImageLoader(bytes: bytes, decoder: ImageDecoder())
  }
}

extension Gallery {
  func thumbnail(_ url: String) async throws(LoadError) -> Image {
    try await images.load(ImageRequest(url, size: PixelSize(width: 96, height: 96))).value
  }
}

@MainActor final class ThumbnailCell {
  private let slot: Slot<ImageDecoder>

  init(_ images: ImageLoader, draw: @escaping (SlotState<Image>) -> Void) {
    slot = Slot(images, display: draw)
  }

  /// Shows the image of another row; nil when the row has none.
  func show(_ url: String?) throws(LoadError) {
    guard let url else { return slot.show(nil) }
    slot.show(try ImageRequest(url, size: PixelSize(width: 96, height: 96), priority: .visible))
  }
}

struct BookRecord: Decodable, Sendable {
  let title: String
  let cover: String
}

extension Gallery {
  func books(_ url: String) async throws(LoadError) -> [BookRecord] {
    let loader = ResourceLoader(bytes: bytes, decoder: JSONResourceDecoder<[BookRecord]>())
    return try await loader.load(Request(url, options: NoOptions())).value
  }
}

func thumbnailLoader(cacheDirectory: String) -> ImageLoader {
  let bytes = ByteLoader(transport: CurlTransport(.server), disk: DiskCache(directory: cacheDirectory))
  return ImageLoader(bytes: bytes, decoder: ImageDecoder(), reuse: .untilStale)
}

extension Gallery {
  /// Loads a thumbnail, or returns the message to show when it fails.
  func thumbnailOrMessage(_ url: String) async -> (Image?, String) {
    do throws(LoadError) {
      return (try await thumbnail(url), "")
    } catch {
      if error.kind == .cancelled { return (nil, "") }
      return (nil, error.isRetryable ? "\(error.message) (try again)" : error.message)
    }
  }
}

extension Gallery {
  func shutDown(cancelling tasks: [Task<Void, Never>]) async {
    for task in tasks { task.cancel() }
    await bytes.settle()
    await transport.close()
  }
}
