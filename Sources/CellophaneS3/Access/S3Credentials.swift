package import CellophaneCore

/// The credentials of requests. Their description hides them.
package struct S3Credentials: Sendable, CustomStringConvertible, CustomReflectable {
  package let accessKey: String
  package let secretKey: String
  package let sessionToken: String?

  package init(accessKey: String, secretKey: String, sessionToken: String? = nil) {
    (self.accessKey, self.secretKey, self.sessionToken) = (accessKey, secretKey, sessionToken)
  }

  package var description: String { "S3 credentials" }
  package var customMirror: Mirror { Mirror(self, children: []) }

  /// Returns the credentials in the environment, or those of the shared file.
  ///
  /// - Parameters:
  ///   - environment: The variables of the process.
  ///   - readFile: Returns the text of a file; nil if it does not exist.
  /// - Throws: ``LoadError/Kind/io`` if they are missing or incomplete.
  package static func find(
    in environment: [String: String], readFile: (String) throws(LoadError) -> String?
  ) throws(LoadError) -> S3Credentials {
    func variable(_ name: String) -> String? { environment[name].flatMap { $0.isEmpty ? nil : $0 } }
    let (access, secret) = (variable("AWS_ACCESS_KEY_ID"), variable("AWS_SECRET_ACCESS_KEY"))
    if let access, let secret {
      return try S3Credentials(
        accessKey: access, secretKey: secret, sessionToken: variable("AWS_SESSION_TOKEN")
      ).checked("the environment")
    }
    guard access == nil, secret == nil else {
      let missing = access == nil ? "AWS_ACCESS_KEY_ID" : "AWS_SECRET_ACCESS_KEY"
      throw LoadError(.io, "\(missing) is not set, but the other part of the S3 credentials is; set both")
    }
    let profile = variable("AWS_PROFILE") ?? "default"
    let path =
      variable("AWS_SHARED_CREDENTIALS_FILE") ?? variable("HOME").map { $0 + "/.aws/credentials" }
    if let path, let text = try readFile(path) {
      let values = SharedCredentials.values(of: profile, in: text)
      if let access = values["aws_access_key_id"], let secret = values["aws_secret_access_key"] {
        return try S3Credentials(
          accessKey: access, secretKey: secret, sessionToken: values["aws_session_token"]
        ).checked(path)
      }
      throw LoadError(
        .io,
        "\(path) has no keys of the profile '\(profile)'; add aws_access_key_id and aws_secret_access_key, or set AWS_PROFILE"
      )
    }
    throw LoadError(
      .io,
      "there are no S3 credentials; set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or write ~/.aws/credentials"
    )
  }

  /// Throws an error for text that would be another header field. The error does not repeat the text.
  private func checked(_ source: String) throws(LoadError) -> S3Credentials {
    let isPlain = [accessKey, secretKey, sessionToken ?? ""].allSatisfy {
      $0.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }
    }
    guard isPlain else {
      throw LoadError(
        .io, "the S3 credentials of \(source) have a space or a character that is not ASCII; correct them")
    }
    return self
  }
}

/// The file of credentials that programs for AWS share: sections of `name = value`.
enum SharedCredentials {
  /// Returns the values of a profile, by their names in small letters. Later lines count.
  static func values(of profile: String, in text: String) -> [String: String] {
    var values: [String: String] = [:]
    var isInProfile = false
    for line in text.split(whereSeparator: \.isNewline) {
      let line = trimmed(line)
      if line.isEmpty || line.hasPrefix("#") || line.hasPrefix(";") { continue }
      if line.hasPrefix("["), let end = line.firstIndex(of: "]") {
        isInProfile = trimmed(line.dropFirst().prefix(upTo: end)) == profile
      } else if isInProfile, let equals = line.firstIndex(of: "=") {
        values[trimmed(line[..<equals]).lowercased()] = String(trimmed(line[line.index(after: equals)...]))
      }
    }
    return values
  }

  private static func trimmed(_ text: Substring) -> Substring {
    var text = text.drop(while: \.isWhitespace)
    while text.last?.isWhitespace == true { text.removeLast() }
    return text
  }
}
