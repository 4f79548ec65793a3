import Cellophane

let bytes = ByteLoader(transport: CurlTransport())
let images = ImageLoader(bytes: bytes, decoder: ImageDecoder())

let urls = (0..<500).map { row in
  "http://127.0.0.1:8080/row/\(row).\(row.isMultiple(of: 2) ? "png" : "jpg")"
}
let gallery = try Gallery(images, urls: urls)
await gallery.move(to: 0)
try await Timeline().sleep(for: .seconds(1))
print(await gallery.frame())
