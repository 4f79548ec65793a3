import Cellophane

let bytes = ByteLoader(transport: CurlTransport())
let images = ImageLoader(bytes: bytes, decoder: ImageDecoder())

let request = try ImageRequest(
  "http://127.0.0.1:8080/row/0.png", size: PixelSize(width: 32, height: 32))
let loaded = try await images.load(request)
for line in loaded.value.lines() { print(line) }
