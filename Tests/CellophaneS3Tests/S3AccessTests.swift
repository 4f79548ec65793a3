internal import Cellophane
internal import Testing

@testable internal import CellophaneS3

@Suite("Locations, endpoints, credentials and errors of an object store")
struct S3AccessTests {
  private func find(_ environment: [String: String], file: String? = nil) throws(LoadError) -> S3Credentials {
    try S3Credentials.find(in: environment) { path throws(LoadError) in
      path == "/home/.aws/credentials" ? file : nil
    }
  }

  @Test(
    arguments: [
      ("s3://bucket", "bucket", ""), ("s3://bucket/", "bucket", ""),
      ("S3://my.bucket/a/b//", "my.bucket", "a/b/"),
      ("s3://bucket/with space", "bucket", "with space/"),
    ])
  func `a location has a bucket and a prefix`(text: String, bucket: String, prefix: String) throws {
    let location = try S3Location(text)
    #expect(location.bucket == bucket && location.prefix == prefix)
  }

  @Test(arguments: [
    "s3:", "s3://", "s3:///a", "s3://b", "s3://bu cket", "s3://b@cket/a", "s3://bucket/a//b",
    "s3://bucket/../a",
  ])
  func `other locations are refused`(text: String) {
    #expect(throws: LoadError.self) { try S3Location(text) }
  }

  @Test(
    arguments: [
      (nil, "bucket", "eu-west-1", "https://bucket.s3.eu-west-1.amazonaws.com/a%20b?x=1"),
      (nil, "my.bucket", "us-east-1", "https://s3.us-east-1.amazonaws.com/my.bucket/a%20b?x=1"),
      (nil, "bucket", "cn-north-1", "https://bucket.s3.cn-north-1.amazonaws.com.cn/a%20b?x=1"),
      ("http://localhost:9000/", "bucket", "auto", "http://localhost:9000/bucket/a%20b?x=1"),
    ] as [(String?, String, String, String)])
  func `the bucket is in the host of AWS and in the path of others`(
    server: String?, bucket: String, region: String, url: String
  ) throws {
    let endpoint = try S3Endpoint(server, bucket: bucket, region: region)
    #expect(endpoint.url(of: S3Request(.get, "a b", query: [("x", "1")])) == url)
  }

  @Test(arguments: [
    "ftp://h", "localhost:9000", "http://", "http://user:secret@h", "http://h/path", "http://h?x",
    "http://h h",
  ])
  func `other endpoints are refused without their text`(url: String) {
    let error = #expect(throws: LoadError.self) { try S3Endpoint(url, bucket: "bucket", region: "us-east-1") }
    #expect(error?.message.contains("secret") == false)
  }

  @Test func `credentials of the environment come before those of the file`() throws {
    let file =
      "# x\n[default]\naws_access_key_id = F\naws_secret_access_key=f=/+\n\n[other]\naws_access_key_id=O\n"
    let environment = ["AWS_ACCESS_KEY_ID": "E", "AWS_SECRET_ACCESS_KEY": "e", "HOME": "/home"]
    #expect(try find(environment, file: file).accessKey == "E")
    #expect(try find(environment, file: file).sessionToken == nil)
    let other = try find(["HOME": "/home", "AWS_ACCESS_KEY_ID": ""], file: file)
    #expect(other.accessKey == "F" && other.secretKey == "f=/+")
    #expect(throws: LoadError.self) { try find(["HOME": "/home", "AWS_PROFILE": "other"], file: file) }
    #expect(throws: LoadError.self) { try find(["HOME": "/home", "AWS_PROFILE": "missing"], file: file) }
  }

  @Test(arguments: [[:], ["AWS_ACCESS_KEY_ID": "E"], ["AWS_SECRET_ACCESS_KEY": "e", "HOME": "/home"]])
  func `missing credentials are an error of the output`(environment: [String: String]) {
    let error = #expect(throws: LoadError.self) { try find(environment) }
    #expect(error?.kind == .io && error?.message.contains("AWS_") == true)
  }

  @Test func `credentials are never printed`() throws {
    let credentials = S3Credentials(accessKey: "AKID", secretKey: "hidden", sessionToken: "token")
    var dumped = ""
    dump(credentials, to: &dumped)
    for text in ["\(credentials)", String(reflecting: credentials), dumped] {
      #expect(!text.contains("AKID") && !text.contains("hidden") && !text.contains("token"))
    }
    let error = #expect(throws: LoadError.self) {
      try find(["AWS_ACCESS_KEY_ID": "AKID", "AWS_SECRET_ACCESS_KEY": "hid\nden"])
    }
    #expect(error?.message.contains("hid") == false)
  }

  @Test(
    arguments: [
      (403, "AccessDenied", "403 AccessDenied; check the credentials, and the permissions of the bucket"),
      (404, "NoSuchBucket", "404 NoSuchBucket; create the bucket, or name another one"),
      (
        403, "SignatureDoesNotMatch",
        "403 SignatureDoesNotMatch; check AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY"
      ),
      (403, "<b>AKID</b>", "403; check the credentials, and the permissions of the bucket"), (500, "", "500"),
    ])
  func `an error names the code and the remedy`(status: Int, code: String, text: String) {
    let xml = "<Error><Code>\(code)</Code><Message>AKID</Message></Error>"
    let error = S3Error(S3Response(status, body: Array(xml.utf8))).loadError("write s3://b/k")
    #expect(error.message == "cannot write s3://b/k: " + text && error.kind == .io)
  }

  @Test func `an error without a response names its reason`() {
    let lost = S3Error("Connection refused", isRetryable: true).loadError("list s3://b/")
    #expect(lost.message == "cannot list s3://b/: Connection refused; check the endpoint and the network")
    let untrusted = S3Error("SSL certificate problem: x", isRetryable: false).loadError("list s3://b/")
    #expect(untrusted.message.hasSuffix("problem: x; trust its certificate with --cacert FILE"))
    #expect(S3Error.cancelled.loadError("list s3://b/") == .cancelled)
  }

  @Test func `the region of a bucket is a part of the error`() {
    let error = S3Error(S3Response(301, region: "eu-west-1")).loadError("list s3://b/")
    #expect(
      error.message == "cannot list s3://b/: 301; the bucket is in another region, set AWS_REGION=eu-west-1")
  }
}
