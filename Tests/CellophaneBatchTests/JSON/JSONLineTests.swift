internal import Foundation
internal import Testing

@testable internal import CellophaneBatch

@Suite("Objects of JSON Lines")
struct JSONLineTests {
  @Test func `a general JSON parser reads the object`() throws {
    let text = String(String.UnicodeScalarView((0...0x2FF).compactMap(Unicode.Scalar.init))) + "é😀\u{2028}"
    var line = JSONLine()
    line.add("text", text)
    line.add("int", Int.min)
    line.add("whole", 3.0)
    line.add("part", 0.0125)
    line.add("negative", -1.05)
    line.add("none", Double.infinity)
    line.add("no number", Double.nan)
    line.add("hardly", -0.0004)
    line.add("inner") { inner in
      inner.add("first", true)
      inner.add("second", false)
    }
    line.add("members", members: Array(#""x":[1]"#.utf8))
    line.add("empty") { _ in }
    let object = line.line()
    #expect(
      !String(decoding: object.dropLast(), as: UTF8.self).unicodeScalars.contains {
        $0.properties.generalCategory == .control
      })
    #expect(object.last == UInt8(ascii: "\n") && object.count(where: { $0 == UInt8(ascii: "\n") }) == 1)
    let read = try #require(try JSONSerialization.jsonObject(with: Data(object)) as? [String: Any])
    #expect(read["text"] as? String == text && read["int"] as? Int == .min)
    #expect(read["part"] as? Double == 0.013 && read["whole"] as? Int == 3 && read["none"] is NSNull)
    #expect(
      read["inner"] as? [String: Bool] == ["first": true, "second": false]
        && read["members"] as? [String: [Int]] == ["x": [1]])
    #expect((read["empty"] as? [String: Any])?.isEmpty == true)
    #expect(
      String(decoding: object, as: UTF8.self).contains(
        #""whole":3,"part":0.013,"negative":-1.05,"none":null,"no number":null,"hardly":0"#))
  }

  @Test(
    arguments: [
      (Duration.zero, "0"), (.milliseconds(3), "3"), (.microseconds(12), "0.012"), (.nanoseconds(499), "0"),
      (.nanoseconds(500), "0.001"), (.microseconds(1_250_500), "1250.5"), (.microseconds(-1_050), "-1.05"),
      (.nanoseconds(-500), "-0.001"), (.nanoseconds(-499), "0"), (.seconds(Int64.max), "null"),
      (.seconds(Int64.min), "null"), (Duration(attoseconds: .max), "null"),
      (.microseconds(Int64.max), "9223372036854775.807"),
      (.microseconds(Int64.max) + .microseconds(1), "null"),
    ])
  func `durations are milliseconds, rounded to thousandths`(duration: Duration, text: String) {
    var line = JSONLine()
    line.add("t", milliseconds: duration)
    #expect(String(decoding: line.line(), as: UTF8.self) == "{\"t\":\(text)}\n")
  }

  @Test(arguments: [0, 1, 9, 10, 100, 1_234_567_890, -1, -10, .max, .min])
  func `integers are written exactly`(number: Int) {
    var line = JSONLine()
    line.add("n", number)
    #expect(String(decoding: line.line(), as: UTF8.self) == "{\"n\":\(number)}\n")
  }
}
