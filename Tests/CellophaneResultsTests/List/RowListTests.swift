import Cellophane
import Testing

@testable import CellophaneResults

@Suite struct RowListTests {
  static func read(_ text: String) throws -> RowList { try RowList(name: "rows.csv", csv: Array(text.utf8)) }

  @Test func `rows have the hosts of their URLs`() throws {
    let urls = [
      "http://a/1", "http://b:8/1", "HTTP://A/2", "https://a/1", "/1", "http://b:8?1#//c", "http://a/1",
    ]
    let list = try Self.read(urls.map { "\($0),50" }.joined(separator: "\n"))
    #expect(list.pictures.map(list.host) == [0, 1, 0, 2, 3, 1, 0])
    #expect(list.hostCount == 4)
  }

  @Test(arguments: [
    "http://a/1.jpg,120,40000\nhttp://a/2.png,80\nhttp://a/1.jpg,60,\n",
    "url,height,bytes\r\nhttp://a/1.jpg,120,40000\r\n\r\nhttp://a/2.png,80\r\nhttp://a/1.jpg,60,",
    "url,height\n\"http://a/1.jpg\",120\nhttp://a/2.png,80\nhttp://a/1.jpg,60,40000",
    "\u{FEFF}url,height,bytes\r\nhttp://a/1.jpg,120,40000\r\nhttp://a/2.png,80,\r\nhttp://a/1.jpg,60,\r\n",
    "\u{FEFF}http://a/1.jpg,120,40000\nhttp://a/2.png,80\nhttp://a/1.jpg,60",
    "URL,Height,Bytes\nhttp://a/1.jpg,120,40000\nhttp://a/2.png,80\nhttp://a/1.jpg,60",
    "\"Url\", \"HEIGHT\"\n\"http://a/1.jpg\",\"120\",\"40000\"\n\"http://a/2.png\", 80 \nhttp://a/1.jpg,60",
    "url;height;bytes\nhttp://a/1.jpg;120;40000\nhttp://a/2.png;80;\nhttp://a/1.jpg;60;",
    "url,height,bytes\nhttp://a/1.jpg,120.0,4E+04\nhttp://a/2.png,80.0,\nhttp://a/1.jpg,6e1,",
    "\nURL\tHeight\nhttp://a/1.jpg\t120\nhttp://a/2.png\t80\nhttp://a/1.jpg\t60\t40000",
    "url,height,bytes\rhttp://a/1.jpg,120,40000\rhttp://a/2.png,80\rhttp://a/1.jpg,60\r",
    "sep=;\r\nurl;height;bytes\r\nhttp://a/1.jpg;120;40000\r\nhttp://a/2.png;80;\r\nhttp://a/1.jpg;60;\r\n;;\r\n",
    "Height,URL,note,Bytes\n120,http://a/1.jpg,\"a\n\"\"b\"\", c\",40000\n,,,\n80,http://a/2.png\n60,http://a/1.jpg,,",
  ])
  func `rows are read with or without a heading, and a size applies to all rows of its URL`(text: String)
    throws
  {
    let list = try Self.read(text)
    #expect(list.urls == ["http://a/1.jpg", "http://a/2.png", "http://a/1.jpg"])
    #expect(list.heights == [120, 80, 60])
    #expect(list.bytes == [40_000, nil, 40_000])
    // Equal URLs have equal images, in the format of the URL.
    #expect(list.pictures[0] == list.pictures[2] && list.pictures[0] != list.pictures[1])
    #expect(list.pictures.map(ListContents.isPNG) == [false, true, false])
    #expect(RowList.describes(Array(text.utf8)))
    // The text of spreadsheets that call it Unicode.
    for isBig in [false, true] {
      let utf16 = [0xFEFF] + text.drop { $0 == "\u{FEFF}" }.utf16
      let bytes = utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
      let encoded =
        isBig ? stride(from: 0, to: bytes.count, by: 2).flatMap { [bytes[$0 + 1], bytes[$0]] } : bytes
      #expect(try RowList(name: "rows.csv", csv: encoded) == list && RowList.describes(encoded))
    }
  }

  @Test(arguments: [
    "http://a/1\nhttp://a/w_1,h_2\n", "\u{FEFF}\r\n http://a/1 \r\nhttp://a/w_1,h_2",
    "URL\nhttp://a/1\n\n\"http://a/w_1,h_2\"\n",
    "note;Url\n\"a\nb\";http://a/1\nc;http://a/w_1,h_2\n;\n", "http://a/1\rhttp://a/w_1,h_2",
    "sep=\t\nid\tURL\n1\thttp://a/1\n2\thttp://a/w_1,h_2",
  ])
  func `the URLs of a list without heights are lines or a column`(text: String) throws {
    #expect(!RowList.describes(Array(text.utf8)))
    #expect(try RowList.urls(in: Array(text.utf8)).map(\.url) == ["http://a/1", "http://a/w_1,h_2"])
  }

  @Test func `an error names the first line of a record with line breaks`() {
    let csv = "url,height,note\nhttp://a/1,9,\"a\nb\"\nhttp://a/2,x,\"c\nd\"\n"
    #expect {
      try Self.read(csv)
    } throws: { ($0 as? LoadError)?.message.hasPrefix("rows.csv, line 4: the height 'x'") == true }
    #expect(throws: LoadError.self) { try RowList.urls(in: Array("note,url\n\"a,http://a/1\n".utf8)) }
  }

  @Test func `a URL with commas is quoted, and its query does not determine the format`() throws {
    let list = try Self.read(
      "\"http://a/w_1,h_2/x.PNG?y=.jpg,\",120,7\nhttp://a/b?c=.png,9\n\"http://a/\"\"q\"\"\",9")
    #expect(list.urls == ["http://a/w_1,h_2/x.PNG?y=.jpg,", "http://a/b?c=.png", "http://a/\"q\""])
    #expect(list.pictures.map(ListContents.isPNG) == [true, false, false])
  }

  @Test(arguments: [
    ("http://a/1,120\nhttp://a/2", "rows.csv, line 2: must be a URL, a height and an optional size"),
    ("http://a/1,120\n\nhttp://a/2,1,2,3", "rows.csv, line 3: must be a URL, a height and an optional size"),
    (
      "url,height\nhttp://a/1,tall",
      "rows.csv, line 2: the height 'tall' is not a whole number from 1 to 16384 px"
    ),
    ("http://a/1,0", "rows.csv, line 1: the height '0' is no"),
    ("http://a/1,16385", "rows.csv, line 1: the height '16385' is no"),
    ("http://a/1,12.5", "rows.csv, line 1: the height '12.5' is no"),
    ("http://a/1,,9", "rows.csv, line 1: the height '' is no"),
    ("http://a/1,9,many", "rows.csv, line 1: the size 'many' is not a whole number from 1 to 16000000 bytes"),
    ("http://a/1,9,0", "rows.csv, line 1: the size '0' is no"),
    (",9,9", "rows.csv, line 1: the URL is missing"), ("\"\",9", "rows.csv, line 1: the URL is missing"),
    ("\"http://a/1,9", "rows.csv, line 1: a quoted field has no closing quote"),
    ("\"http://a/1\"9,9", "rows.csv, line 1: a delimiter must follow the closing quote of a field"),
    ("http://a/1,9,10\nhttp://a/1,9,11", "rows.csv, line 2: the URL has another size on an earlier line"),
    ("http://a/1,9\nurl,height", "rows.csv, line 2: the height 'height' is no"),
    ("url,height,bytes\n", "rows.csv has no rows"), ("", "rows.csv has no rows"),
  ])
  func `an invalid line is refused with its number and the reason`(text: String, message: String) {
    #expect {
      try Self.read(text)
    } throws: { error in
      guard let error = error as? LoadError else { return false }
      return error.kind == .invalidRequest && error.message.hasPrefix(message)
    }
  }

  @Test(arguments: [
    "http://a/1\nhttp://a/2,3", "http://a/w_1,h_2\n", "", "\n", "url", "http://a/1.jpg,x120",
    "\u{FEFF}http://a/1", "url;bytes",
  ])
  func `a list of URLs without heights is no row list`(text: String) {
    #expect(!RowList.describes(Array(text.utf8)))
  }

  @Test(arguments: [
    "http://a/1,-5", ",1e308", ",nan", ",100.5", "http://a/1, 100", ",100,-1", "http://a/1,9,", "http://a/1,",
  ])
  func `a first line with an invalid height is recognized as a row`(text: String) {
    #expect(RowList.describes(Array(text.utf8)))
  }

  @Test func `in real time the list shows the images of its URLs in rows of its heights`() throws {
    var configuration = SimulationConfiguration(time: .real)
    configuration.list.take(try Self.read("http://a/1,400\nhttp://a/2,80,9"), in: .real)
    #expect(configuration.list.pictures == .own(["http://a/1", "http://a/2"], allowsFiles: false))
    let layout = try configuration.checkedLayout()
    #expect(layout.extent(of: 1) == 400...480)
  }
}
