import Cellophane

let bytes = ByteLoader(transport: CurlTransport())
let images = ImageLoader(bytes: bytes, decoder: ImageDecoder())

let gallery = Gallery(images)
try await gallery.show("http://127.0.0.1:8080/row/0.png")
try await gallery.show("http://127.0.0.1:8080/row/1.jpg")
