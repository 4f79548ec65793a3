internal import CellophaneImages
internal import Testing

@Suite("Images in one line")
struct ImageDescriptionTests {
  @Test("an image prints its size, also inside of other values")
  func description() throws {
    let image = try Image(width: 96, height: 64, pixels: [UInt8](repeating: 1, count: 96 * 64 * 4))
    #expect("\(image)" == "Image(96x64)" && String(reflecting: image) == "Image(96x64)")
    #expect("\([image])" == "[Image(96x64)]" && "\((image, 1))" == "(Image(96x64), 1)")
    var text = ""
    dump(image, to: &text)
    #expect(text.contains("width: 96") && text.count < 200)
  }
}
