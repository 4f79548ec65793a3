internal import Testing

@testable internal import CellophaneTool

@Suite("Options of object stores")
struct ObjectStoreOptionTests {
  @Test(
    arguments: [
      ["--s3-endpoint", "http://127.0.0.1:1"], ["-o", "folder", "--s3-endpoint", "http://127.0.0.1:1"],
      ["-o", "s3://"], ["-o", "s3://b"], ["-o", "s3:bucket/a"], ["-o", "s3://bucket/a//b"],
      ["-o", "s3://bucket/../a"], ["-o", "gs://bucket/a"],
      ["-o", "s3://bucket/a", "--s3-endpoint", "127.0.0.1:1"],
      ["-o", "s3://bucket/a", "--s3-endpoint", "http://user:secret@127.0.0.1:1"],
    ])
  func `a location or an endpoint that is not valid is a wrong command line`(options: [String]) async throws {
    let ended = try await Room().run(["prefetch", "http://127.0.0.1:1/"] + options)
    #expect(ended.exit == 64 && ended.text.isEmpty && !ended.errors.contains("secret"), "\(ended)")
  }

  @Test(arguments: [[], ["--webdataset"]])
  func `missing credentials are reported before any request`(options: [String]) async throws {
    let ended = try await Room().shell(
      "env -u AWS_ACCESS_KEY_ID -u AWS_SECRET_ACCESS_KEY -u AWS_SHARED_CREDENTIALS_FILE cellophane prefetch"
        + " http://127.0.0.1:1/ -o s3://bucket/a \(options.joined(separator: " "))")
    #expect(
      ended.exit == 1 && ended.errors.contains("there are no S3 credentials; set AWS_ACCESS_KEY_ID"),
      "\(ended)")
  }

  @Test func `incomplete credentials are reported without their text`() async throws {
    let ended = try await Room().shell(
      "env -u AWS_ACCESS_KEY_ID AWS_SECRET_ACCESS_KEY=hidden cellophane prefetch http://127.0.0.1:1/ -o s3://bucket/a"
    )
    #expect(ended.exit == 1 && ended.errors.contains("AWS_ACCESS_KEY_ID is not set"), "\(ended)")
    #expect(!ended.errors.contains("hidden"))
  }
}
