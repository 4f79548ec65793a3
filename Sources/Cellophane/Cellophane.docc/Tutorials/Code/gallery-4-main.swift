import Cellophane

let bytes = ByteLoader(
  transport: CurlTransport(), disk: DiskCache(directory: "/tmp/gallery-cache"))
let images = ImageLoader(bytes: bytes, decoder: ImageDecoder())

let urls = (0..<500).map { row in
  "http://127.0.0.1:8080/row/\(row).\(row.isMultiple(of: 2) ? "png" : "jpg")"
}
let gallery = try Gallery(images, urls: urls)
print("\u{1B}[2J", terminator: "")
try await gallery.scroll(at: 80)
await bytes.settle()
