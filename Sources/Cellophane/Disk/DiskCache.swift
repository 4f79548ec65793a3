public actor DiskCache {
  func response(for key: ResponseKey) -> StoredResponse? { nil }
  func store(_ response: StoredResponse, for key: ResponseKey) {}
}
struct StoredResponse {
  let status: Int; let headers: HeaderFields; let body: [UInt8]; let storedAt: Int64
  func isFresh(at now: Int64) -> Bool { false }
}
