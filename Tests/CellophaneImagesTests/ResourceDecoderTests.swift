internal import CellophaneImages
internal import Testing

@Suite struct ResourceDecoderTests {
  struct Person: Decodable, Equatable, Sendable {
    let name: String
    let ages: [Int]
  }

  @Test func `raw bytes are returned unchanged`() throws {
    let bytes: [UInt8] = [1, 2, 3]
    #expect(try RawDecoder().decode(bytes, options: NoOptions()) == bytes)
    #expect(RawDecoder().cost(of: bytes) == 3)
    #expect(try RawDecoder().workingBytes(for: bytes, options: NoOptions()) == 0)
  }

  @Test func `JSON is decoded to a value`() throws {
    let decoder = JSONResourceDecoder<Person> { 16 + $0.ages.count * 8 }
    let person = try decoder.decode(Array(#"{"name":"Ada","ages":[3,4]}"#.utf8), options: NoOptions())
    #expect(person == Person(name: "Ada", ages: [3, 4]))
    #expect(decoder.cost(of: person) == 32)
  }

  @Test(arguments: [
    (#"{"name":"Ada","ages":[3,"x"]}"#, "$.ages[1]"), (#"{"name":"Ada"}"#, "$.ages"),
    (#"{"name":1}"#, "$.name"),
    (#"{"name":"#, "$"), ("", "$"), (#"{"name":null,"ages":[]}"#, "$.name"),
  ])
  func `invalid JSON is corrupt, with the path of the error`(_ text: String, path: String) {
    let error = #expect(throws: LoadError.self) {
      try JSONResourceDecoder<Person>().decode(Array(text.utf8), options: NoOptions())
    }
    #expect(error?.kind == .corrupt)
    #expect(error?.message.contains("at \(path):") == true, "\(error?.message ?? "")")
  }
}
