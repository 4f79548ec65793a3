internal import Cellophane
internal import Foundation
internal import Testing

@Suite("decode: directories", .timeLimit(.minutes(5)))
struct DecodeFolderTests {
  /// Returns a room with images in `photos` and in directories below it.
  private func gallery() throws -> Room {
    let room = try Room()
    for folder in ["photos/a b", "photos/.hidden", "other"] {
      try FileManager.default.createDirectory(atPath: room.path(folder), withIntermediateDirectories: true)
    }
    let png = try testImage(40, 20).encoded(as: .png)
    let jpeg = try testImage(40, 20).encoded(as: .jpeg(quality: 90))
    for name in [
      "photos/1.png", "photos/a b/100%.PNG", "photos/.hidden/2.png", "photos/.3.png", "other/1.png",
    ] {
      try room.write(png, as: name)
    }
    for name in ["photos/a b/ü.jpeg", "other/no extension"] { try room.write(jpeg, as: name) }
    try room.write(Array("text".utf8), as: "photos/notes.txt")
    try FileManager.default.createSymbolicLink(
      atPath: room.path("photos/a b/loop"), withDestinationPath: room.path("photos"))
    return room
  }

  private func size(of name: String, in room: Room) throws -> PixelSize {
    try ImageDecoder().header(of: room.bytes(of: name)).size
  }

  @Test func `the images in a directory keep their names and folders`() async throws {
    let room = try gallery()
    let names = ["1.png", "a b/100%.PNG", "a b/ü.jpeg"]
    let checked = try await room.run("decode", "photos")
    #expect(checked.exit == 0 && checked.errors.isEmpty, "\(checked)")
    #expect(checked.text.split(separator: "\n").map { $0.prefix { $0 != "\u{20}" } }.count == 3, "\(checked)")
    for output in ["small", "small/", "deep/small", "photos/small", "photos/small"] {
      let ended = try await room.run("decode", "photos/", "--size", "10x10", "-o", output)
      #expect(ended.exit == 0, "\(ended)")
      let folder = output.hasSuffix("/") ? output : output + "/"
      let kinds = ["png", "png", "jpeg"]
      let lines = zip(names, kinds).map { "photos/\($0)  \($1) 10x5 of 40x20  -> \(folder)\($0)\n" }
      #expect(ended.text == lines.joined(), "\(ended)")
      for name in names { #expect(try size(of: folder + name, in: room) == PixelSize(width: 10, height: 5)) }
    }
  }

  @Test func `files and file URLs are written to a directory under their names`() async throws {
    let room = try gallery()
    let url = "file://" + room.path("photos/a%20b/%C3%BC.jpeg")
    let local = "file://localhost" + room.path("photos/a b/100%25.PNG")
    let ended = try await room.run(
      "decode", "other/1.png", "other/no extension", url, local, "-o", "out", "--json")
    let reports = try #require(try ended.json()["files"] as? [[String: Any]])
    #expect(ended.exit == 0, "\(ended)")
    #expect(reports.map { $0["file"] as? String } == ["other/1.png", "other/no extension", url, local])
    let outputs = ["out/1.png", "out/no extension.jpg", "out/ü.jpeg", "out/100%.PNG"]
    #expect(reports.map { $0["output"] as? String } == outputs)
    let formats = try outputs.map { try ImageDecoder().header(of: room.bytes(of: $0)).format }
    #expect(formats == [.png, .jpeg, .jpeg, .png])
    // The name decides the format.
    try room.write(try room.bytes(of: "other/1.png"), as: "other/png.jpg")
    let renamed = try await room.run("decode", "other/png.jpg", "-o", "out")
    #expect(try renamed.exit == 0 && ImageDecoder().header(of: room.bytes(of: "out/png.jpg")).format == .jpeg)
  }

  @Test func `no decoded file and no output of the same run is overwritten`() async throws {
    let room = try gallery()
    let source = try room.bytes(of: "photos/1.png")
    let same = try await room.run("decode", "photos/1.png", "other", "--size", "4", "-o", "out")
    #expect(same.exit == 2 && same.errorLines.count == 1, "\(same)")
    #expect(same.errors.contains("cannot write out/1.png: it has the image of photos/1.png"), "\(same)")
    for arguments in [["photos/1.png", "-o", "photos"], ["other", "photos/1.png", "-o", "photos"]] {
      let ended = try await room.run(["decode", "--size", "4"] + arguments)
      #expect(ended.exit == 2 && ended.errors.contains("photos/1.png: it is a decoded file"), "\(ended)")
    }
    #expect(try room.bytes(of: "photos/1.png") == source)
  }

  @Test func `an output that does not fit the files is refused`() async throws {
    let room = try gallery()
    for (arguments, message) in [
      ("photos -o photos", "the images in photos would be overwritten; choose another directory"),
      ("photos -o other/../photos/", "the images in photos would be overwritten; choose another directory"),
      ("photos -o x.jpg", "--output must name a directory, because photos is a directory"),
      ("photos/1.png other/1.png -o x.png", "--output must name a directory, because there are 2 paths"),
      ("photos/1.png -o x.gif", "cannot encode 'x.gif'; use a name that ends in .png, .jpg, .webp or .avif"),
      ("photos -o -", "cannot encode '-'"), ("- -o out", "standard input has no name"),
      ("photos --rgba -", "--rgba needs one file, but photos is a directory"),
    ] {
      let ended = try await room.run(["decode"] + arguments.split(separator: " ").map(String.init))
      #expect(ended.exit == 64 && ended.errors.contains(message), "\(arguments): \(ended)")
    }
    for (arguments, message) in [
      ("other/none", "cannot read other/none: no such file"),
      ("photos/.hidden/none photos", "none: no such file"),
      ("file://host/1.png", "not a valid file URL"),
      ("photos -o photos/1.png/x", "a part of the path is not a directory"),
    ] {
      let ended = try await room.run(["decode"] + arguments.split(separator: " ").map(String.init))
      #expect((1...2).contains(ended.exit) && ended.errors.contains(message), "\(arguments): \(ended)")
    }
  }

  @Test func `a list and arguments can be file URLs`() async throws {
    let room = try gallery()
    let urls = ["file://" + room.path("photos/1.png"), "FILE://localhost" + room.path("photos/a b/ü.jpeg")]
    try room.write(lines: urls + [room.path("photos/1.png")], as: "list")
    let listed = try await room.run(
      "prefetch", "list", "--allow-files", "--no-cache", "--size", "8", "-o", "out")
    #expect(listed.exit == 2 && listed.text.contains(/fetched +2\b/), "\(listed)")
    #expect(listed.text.contains(/local files +2\b/), "\(listed)")
    #expect(listed.errors.contains("; for a local file, write file:///path\n"), "\(listed)")
    #expect(try size(of: "out/00000002.jpg", in: room) == PixelSize(width: 8, height: 4))
    let given = try await room.run(["prefetch", "--allow-files", "--no-cache"] + urls)
    #expect(given.exit == 0, "\(given)")
    let refused = try await room.run(["prefetch", "--no-cache"] + urls)
    #expect(refused.exit == 2 && refused.errors.contains("allow files with --allow-files"), "\(refused)")
  }
}
