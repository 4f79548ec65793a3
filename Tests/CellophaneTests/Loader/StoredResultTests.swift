@testable internal import Cellophane
internal import CellophaneTesting
internal import TestSupport
internal import Testing

@Suite("Results on disk, in virtual time")
struct StoredResultTests {
  private static let url = "http://h/a.png"
  private static let fields: HeaderFields = ["cache-control": "max-age=100", "etag": "\"1\""]
  private static let files = PictureFixture.png.filter { ["rgb 8", "rgba 8"].contains($0.name) }

  private let world = LoaderWorld()

  /// Returns the loader of a new process over the same disk cache.
  private func loader(_ world: LoaderWorld, codecs: [PictureCodec] = [.png, .jpeg]) -> ImageLoader {
    ImageLoader(bytes: world.bytes, decoder: ImageDecoder(codecs: codecs), results: world.bytes.disk)
  }

  private func request(
    _ processors: [ImageProcessing] = [.circle], side: Int? = 10, account: String? = nil,
    headers: HeaderFields = [:]
  ) throws -> ImageRequest {
    try ImageRequest(
      Self.url, size: side.map { PixelSize(width: $0, height: $0) }, mode: .fill, processors: processors,
      headers: headers, account: account)
  }

  private func load(_ request: ImageRequest, from loader: ImageLoader, in world: LoaderWorld) -> Image? {
    world.time.run { try? await loader.load(request).value } ?? nil
  }

  private func script(_ file: PictureFixture, _ fields: HeaderFields = Self.fields) {
    world.origin.script(Self.url, .status(200, fields, body: file.bytes))
  }

  @Test("a restart reads the result and decodes nothing", arguments: files)
  func restart(file: PictureFixture) throws {
    script(file)
    let (first, request) = try (loader(world), request())
    let image = try #require(load(request, from: first, in: world))
    #expect(first.counters.load.decodes == 1 && world.files.entries.count == 2)
    let next = world.restarted()
    let second = loader(next)
    #expect(load(request, from: second, in: next) == image)
    #expect(second.counters.load.decodes == 0 && world.origin.counters.started == 1)
  }

  @Test("a longer chain begins with the result of a shorter one")
  func prefix() throws {
    script(Self.files[0])
    _ = try load(request([.circle]), from: loader(world), in: world)
    let next = world.restarted()
    let second = loader(next)
    let long = try request([.circle, .grayscale, .blur(radius: 1)])
    let image = try #require(load(long, from: second, in: next))
    #expect(second.counters.load.decodes == 0)
    #expect(try image == ImageDecoder().decode(Self.files[0].bytes, options: long.options))
  }

  @Test("a result is not used for other bytes, and is valid again after a 304")
  func validity() throws {
    let (old, new) = (Self.files[0], Self.files[1])
    world.origin.script(
      Self.url, .status(200, Self.fields, body: old.bytes), .status(304, Self.fields),
      .status(200, ["cache-control": "max-age=100", "etag": "\"2\""], body: new.bytes))
    let request = try request()
    _ = load(request, from: loader(world), in: world)
    world.advance(.seconds(200))
    let validated = loader(world)
    #expect(load(request, from: validated, in: world) != nil)
    #expect(validated.counters.load.revalidated == 1 && decodes(of: validated) == 0)
    world.advance(.seconds(200))
    let changed = loader(world)
    let image = load(request, from: changed, in: world)
    #expect(try image == ImageDecoder().decode(new.bytes, options: request.options))
    #expect(decodes(of: changed) == 1)
  }

  private let decodesBefore = Shared(0)

  /// The decodings of the byte loader since the last call: its counters belong to all loaders over it.
  private func decodes(of loader: ImageLoader) -> Int {
    let count = loader.counters.load.decodes
    defer { decodesBefore.value = count }
    return count - max(decodesBefore.value, 1)
  }

  @Test("full-size images, custom processors without an identifier, and secrets are not stored")
  func exclusions() throws {
    struct Custom: ImageProcessor {
      func process(_ image: consuming Image) throws(LoadError) -> Image { image }
    }
    script(Self.files[0])
    let requests = try [
      request([], side: nil), request([ImageProcessing(Custom())]),
      request(headers: ["authorization": "Bearer x"]),
    ]
    for request in requests { #expect(load(request, from: loader(world), in: world) != nil) }
    // The response, and the image before the custom processor.
    #expect(world.files.entries.count == 2)
    _ = try load(
      request(account: "me", headers: ["authorization": "Bearer x"]), from: loader(world), in: world)
    #expect(world.files.entries.count == 4)
  }

  @Test("images of sources, and behind a cookie of a redirect, are not stored")
  func privacy() throws {
    let file = Self.files[0].bytes
    let size = PixelSize(width: 10, height: 10)
    var options = ImageOptions(targetSize: size)
    options.processors = [.circle]
    let memory = ImageRequest(id: "a", options: options) { () throws(LoadError) in file }
    #expect(load(memory, from: loader(world), in: world) != nil)
    let data = try ImageRequest("data:image/png;base64,\(Base64.text(of: file))", size: size)
    #expect(load(data, from: loader(world), in: world) != nil)
    var redirect = TransportResponse(
      status: 302, headers: ["location": "/b.png", "set-cookie": "session=1"], url: Self.url)
    redirect.target = "http://h/b.png"
    world.origin.script(Self.url, .init(.success(redirect)))
    world.origin.script("http://h/b.png", .status(200, Self.fields, body: file))
    #expect(try load(request(), from: loader(world), in: world) != nil)
    #expect(world.files.entries.isEmpty)
  }

  @Test("decoders and processors of other types have other names")
  func names() throws {
    let options = try request().options
    let (images, playable) = (ImageDecoder(), AnimatedImageDecoder(images: ImageDecoder()))
    #expect(images.resultForm(options: options)?.name != playable.resultForm(options: options)?.name)
    struct Impostor: ImageProcessor {
      var identifier: String? { "grayscale" }
      func process(_ image: consuming Image) throws(LoadError) -> Image { image }
    }
    struct Merged: ImageProcessor {
      var identifier: String? { "a;circle" }
      func process(_ image: consuming Image) throws(LoadError) -> Image { image }
    }
    let chains: [[ImageProcessing]] = [
      [.grayscale], [ImageProcessing(Impostor())], [ImageProcessing(Merged())],
      [ImageProcessing(Merged()), .circle],
    ]
    let names = try chains.map { try images.resultForm(options: request($0).options)?.name }
    #expect(Set(names).count == chains.count)
  }

  @Test("the result of a response that must not be stored is not stored either")
  func noStore() throws {
    script(Self.files[0], ["cache-control": "no-store"])
    #expect(try load(request(), from: loader(world), in: world) != nil)
    #expect(world.files.entries.isEmpty)
  }
}
