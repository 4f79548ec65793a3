internal import Testing

@testable internal import CellophaneS3

@Suite("The XML answers of an object store")
struct S3XMLTests {
  @Test(
    arguments: [
      ("<?xml version=\"1.0\"?>\n<Error><Code>NoSuchKey</Code></Error>", "NoSuchKey"),
      (
        "<Error xmlns=\"a>b\"><Code a='1'>A&amp;B&#x26;&#38;&lt;&gt;&quot;&apos;</Code></Error>", "A&B&&<>\"'"
      ),
      ("<!-- <Code>no</Code> --><Code>yes</Code>", "yes"), ("<Code/><Code>later</Code>", ""),
      ("<Code>&unknown; &#xFFFFFFFF; &</Code>", "&unknown; &#xFFFFFFFF; &"), ("<Code>open", "open"),
    ])
  func `the text of an element is found and decoded`(document: String, text: String) {
    #expect(S3XML.text(of: "Code", in: Array(document.utf8)) == text)
  }

  @Test(arguments: [
    "", "<", "<Code", "</Code>", "<!--", "<Codes>a</Codes>", "no XML", "<a><b></a>", "<>", "<?", "< Code>",
  ])
  func `other documents have no such element`(document: String) {
    #expect(S3XML.text(of: "Code", in: Array(document.utf8)) == nil)
  }

  @Test func `each group has its own elements`() {
    let document = """
      <List><Name>n</Name><Contents><Key>a</Key><Owner><ID>1</ID><Key>inner</Key></Owner><Size>3</Size></Contents>
      <Contents><Key>b&#10;c</Key></Contents><Contents/><CommonPrefixes><Key>no</Key></CommonPrefixes></List>
      """
    let groups = S3XML.groups("Contents", of: ["Key", "Size"], in: Array(document.utf8))
    #expect(groups == [["Key": "a", "Size": "3"], ["Key": "b\nc"], [:]])
  }

  @Test func `damaged documents end the search`() {
    let document = Array(
      "<L><Contents><Key>a&amp;</Key><!-- x --></Contents><Contents><Key>b</Key></Contents></L>".utf8)
    for length in 0...document.count {
      _ = S3XML.groups("Contents", of: ["Key"], in: Array(document[..<length]))
    }
    for index in document.indices {
      for byte in [
        UInt8(0), 0xFF, UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "&"), UInt8(ascii: "/"),
      ] {
        var damaged = document
        damaged[index] = byte
        #expect(S3XML.groups("Contents", of: ["Key"], in: damaged).count <= 3)
      }
    }
  }

  @Test func `the head of a response has the fields that matter`() {
    var receiver = S3ResponseReceiver()
    for line in [
      "HTTP/1.1 100 Continue\r\n", "ETag: \"old\"\r\n", "\r\n", "HTTP/1.1 200 OK\r\n", "ETag:  \"new\" \r\n",
    ] {
      receiver.receiveHead(Array(line.utf8))
    }
    receiver.receiveHead(Array("Content-Length: 12\r\n".utf8))
    let taken = [[1, 2], [3], [UInt8](repeating: 0, count: S3ResponseReceiver.longestBody)].map {
      receiver.receiveBody($0)
    }
    #expect(taken == [true, true, false])
    let response = receiver.response(status: 200)
    #expect((response.etag, response.length ?? 0, response.body) == ("\"new\"", 12, [1, 2, 3]))
  }
}
