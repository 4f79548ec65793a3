@testable internal import CellophaneHTTP
internal import Testing

@Suite("Lists and numbers of header fields")
struct FieldListTests {
  @Test(
    "commas outside quotes separate the members of a list",
    arguments: [
      ([], []), ([""], []), ([" , ,\t"], []), (["a"], ["a"]), ([" a ,b\t,, c d "], ["a", "b", "c d"]),
      (["a,b", "", "c"], ["a", "b", "c"]), (["\"a,b\", c"], ["\"a,b\"", "c"]),
      (["x=\"a\\\",b\",c"], ["x=\"a\\\",b\"", "c"]), (["\"a, b", "c"], ["\"a", "b", "c"]),
      (["a\\,b"], ["a\\", "b"]), (["\"\\"], ["\"\\"]), (["\"a\" \"b,\""], ["\"a\" \"b,\""]),
      (["a, x=\"b, c", "\"d,e\""], ["a", "x=\"b", "c", "\"d,e\""]),
      (["\"a,\" \"b, c"], ["\"a,\" \"b", "c"]), (["\"a\\\",b\\\", c"], ["\"a\\\"", "b\\\"", "c"]),
    ] as [([String], [String])])
  func members(values: [String], expected: [String]) {
    var headers: HeaderFields = ["other": "x, y"]
    for value in values { headers.append("List", value) }
    #expect(FieldList("list", in: headers).map { String(decoding: $0, as: UTF8.self) } == expected)
  }

  @Test(
    "digits are read as a number, clamped to 64 bits",
    arguments: [
      ("0", 0), ("00012", 12), ("9223372036854775806", .max - 1), ("9223372036854775807", .max),
      ("9223372036854775808", .max), ("92233720368547758070", .max),
      (String(repeating: "9", count: 1_000), .max),
      ("", nil), ("+1", nil), ("-1", nil), (" 1", nil), ("1 ", nil), ("1.0", nil), ("0x1", nil),
      ("\u{661}", nil),
      ("99999999999999999999x", nil),
    ] as [(String, Int?)])
  func numbers(text: String, expected: Int?) { #expect(Int(digits: text.utf8) == expected) }

  /// The `Age` fields of a response, and its initial age in seconds.
  @Test(
    "the age is the first member of the list, if that is a number",
    arguments: [
      (["5"], 5), (["5, 7"], 5), ([", 5"], 5), (["", "5"], 5), (["1 2"], 0), (["-5"], 0), (["x, 5"], 0),
    ]
      as [([String], Int64)])
  func ages(values: [String], expected: Int64) {
    var headers = HeaderFields()
    for value in values { headers.append("Age", value) }
    #expect(Freshness(status: 200, headers: headers, storedAt: 100).initialAge == expected)
  }
}
