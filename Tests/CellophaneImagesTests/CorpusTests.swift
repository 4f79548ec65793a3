internal import CellophaneImages
internal import TestSupport
internal import Testing

/// Decodes every file of the corpus and compares the result with the table. Reports one failure per file.
@Suite struct CorpusTests {
  private let judge = CorpusJudge(.shared, ImageDecoder())

  @Test func `the corpus is complete`() {
    #expect(Corpus.shared.files.count > 900)
    #expect(Corpus.shared.damaged.count > 20)
  }

  @Test(arguments: [
    "png", "png-sizes", "png-odd", "png-bad", "jpeg", "jpeg-odd", "jpeg-bad", "turned", "foreign",
  ])
  func `every file decodes as expected`(folder: String) throws {
    let files = Corpus.shared.files.filter { $0.file.hasPrefix(folder + "/") }
    try #require(!files.isEmpty)
    for file in files {
      if let flaw = try judge.flaw(of: file) { Issue.record("\(file): \(flaw)") }
    }
  }

  @Test func `damaged files decode as expected`() throws {
    for file in Corpus.shared.damaged {
      for flaw in try judge.flaws(of: file) { Issue.record("\(flaw)") }
    }
  }
}
