// Typed wrappers of libcurl's variadic functions, which Swift cannot call, and socket functions.
#pragma once
#include <arpa/inet.h>
#include <curl/curl.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <netdb.h>
#include <netinet/in.h>
#ifdef __APPLE__
#include <netinet/tcp.h>
#endif
#include <poll.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

static inline CURLcode cellophane_curl_set_long(CURL *easy, CURLoption option, long value) {
  return curl_easy_setopt(easy, option, value);
}

static inline CURLcode cellophane_curl_set_string(CURL *easy, CURLoption option, const char *value) {
  return curl_easy_setopt(easy, option, value);
}

static inline CURLcode cellophane_curl_set_list(CURL *easy, CURLoption option, struct curl_slist *value) {
  return curl_easy_setopt(easy, option, value);
}

static inline CURLcode cellophane_curl_set_parts(CURL *easy, CURLU *value) {
  return curl_easy_setopt(easy, CURLOPT_CURLU, value);
}

/// Receives a piece of a header or body. A result below `count` ends the transfer.
typedef size_t (*cellophane_curl_receive)(char *bytes, size_t size, size_t count, void *context);

/// The callbacks of an easy handle.
struct cellophane_curl_callbacks {
  void *context;
  cellophane_curl_receive head;
  cellophane_curl_receive body;
  /// A buffer of CURL_ERROR_SIZE bytes for error messages.
  char *error;
  /// Called before a lookup of a name that is not cached.
  curl_resolver_start_callback lookup;
  curl_prereq_callback sending;
  curl_opensocket_callback open;
  curl_closesocket_callback close;
  /// The context of `close`: a connection may outlive the handle that created it.
  void *sockets;
};

/// Shuts the connection down and closes its socket. A forked child process has copies of all sockets until it calls
/// exec, so a close alone would leave the connection open until then.
static inline int cellophane_curl_close(curl_socket_t socket) {
  shutdown(socket, SHUT_RDWR);
  return close(socket);
}

static inline CURLcode cellophane_curl_set_callbacks(CURL *easy, struct cellophane_curl_callbacks callbacks) {
  curl_easy_setopt(easy, CURLOPT_PRIVATE, callbacks.context);
  curl_easy_setopt(easy, CURLOPT_HEADERDATA, callbacks.context);
  curl_easy_setopt(easy, CURLOPT_WRITEDATA, callbacks.context);
  curl_easy_setopt(easy, CURLOPT_PREREQDATA, callbacks.context);
  curl_easy_setopt(easy, CURLOPT_OPENSOCKETDATA, callbacks.context);
  curl_easy_setopt(easy, CURLOPT_RESOLVER_START_DATA, callbacks.context);
  curl_easy_setopt(easy, CURLOPT_HEADERFUNCTION, callbacks.head);
  curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, callbacks.body);
  curl_easy_setopt(easy, CURLOPT_ERRORBUFFER, callbacks.error);
  curl_easy_setopt(easy, CURLOPT_OPENSOCKETFUNCTION, callbacks.open);
  curl_easy_setopt(easy, CURLOPT_CLOSESOCKETFUNCTION, callbacks.close);
  curl_easy_setopt(easy, CURLOPT_CLOSESOCKETDATA, callbacks.sockets);
  curl_easy_setopt(easy, CURLOPT_RESOLVER_START_FUNCTION, callbacks.lookup);
  return curl_easy_setopt(easy, CURLOPT_PREREQFUNCTION, callbacks.sending);
}

/// Returns the context passed to `cellophane_curl_set_callbacks`.
static inline void *cellophane_curl_context(CURL *easy) {
  void *context = NULL;
  curl_easy_getinfo(easy, CURLINFO_PRIVATE, &context);
  return context;
}

/// Resolves a reference, absolute or relative to `base`, as libcurl does for a redirect. Returns null if the result is
/// not a URL. The caller passes the result to `curl_free`.
static inline char *cellophane_curl_resolve(const char *reference, const char *base) {
  char *url = NULL;
  CURLU *parts = curl_url();
  if (parts && curl_url_set(parts, CURLUPART_URL, base, 0) == CURLUE_OK &&
      curl_url_set(parts, CURLUPART_URL, reference, CURLU_NON_SUPPORT_SCHEME) == CURLUE_OK &&
      curl_url_get(parts, CURLUPART_URL, &url, 0) != CURLUE_OK)
    url = NULL;
  curl_url_cleanup(parts);
  return url;
}

/// Returns the status of the proxy's last response to CONNECT; 0 without such a request.
static inline int cellophane_curl_tunnel_status(CURL *easy) {
  long status = 0;
  curl_easy_getinfo(easy, CURLINFO_HTTP_CONNECTCODE, &status);
  return (int)status;
}

/// Returns the verification result for the origin's certificate, a code of the TLS library.
static inline long cellophane_curl_verify_result(CURL *easy) {
  long result = 0;
  curl_easy_getinfo(easy, CURLINFO_SSL_VERIFYRESULT, &result);
  return result;
}

/// Returns true if libcurl passes header lines on unchanged. From 8.18.0 on, it unfolds them first.
static inline int cellophane_curl_reports_raw_heads(void) {
  return curl_version_info(CURLVERSION_NOW)->version_num < 0x081200;
}

/// Returns the number of received body bytes, before content decoding.
static inline int64_t cellophane_curl_received(CURL *easy) {
  curl_off_t bytes = 0;
  curl_easy_getinfo(easy, CURLINFO_SIZE_DOWNLOAD_T, &bytes);
  return bytes;
}

/// The times of the steps of the last transfer, in microseconds since its start; 0 for steps that were not reached.
struct cellophane_curl_times {
  int64_t name;
  int64_t connection;
  int64_t encryption;
  int64_t request;
  int64_t first_byte;
  int64_t total;
};

static inline struct cellophane_curl_times cellophane_curl_times(CURL *easy) {
  curl_off_t name = 0, connection = 0, encryption = 0, request = 0, first_byte = 0, total = 0;
  curl_easy_getinfo(easy, CURLINFO_NAMELOOKUP_TIME_T, &name);
  curl_easy_getinfo(easy, CURLINFO_CONNECT_TIME_T, &connection);
  curl_easy_getinfo(easy, CURLINFO_APPCONNECT_TIME_T, &encryption);
  curl_easy_getinfo(easy, CURLINFO_PRETRANSFER_TIME_T, &request);
  curl_easy_getinfo(easy, CURLINFO_STARTTRANSFER_TIME_T, &first_byte);
  curl_easy_getinfo(easy, CURLINFO_TOTAL_TIME_T, &total);
  return (struct cellophane_curl_times){name, connection, encryption, request, first_byte, total};
}

/// The content of an upload: bytes in memory, or a range of a file.
struct cellophane_curl_upload {
  /// Null for a file.
  const uint8_t *bytes;
  int file;
  /// The offset of the first byte in the file.
  int64_t start;
  int64_t length;
  int64_t position;
};

/// Reads the next bytes of an upload. A file that is shorter than expected ends the transfer.
static inline size_t cellophane_curl_read_upload(char *buffer, size_t size, size_t count, void *context) {
  struct cellophane_curl_upload *upload = context;
  uint64_t left = (uint64_t)(upload->length - upload->position);
  size_t wanted = size * count;
  if (wanted > left) wanted = (size_t)left;
  if (wanted == 0) return 0;
  if (upload->bytes) {
    memcpy(buffer, upload->bytes + upload->position, wanted);
  } else {
    ssize_t got = pread(upload->file, buffer, wanted, (off_t)(upload->start + upload->position));
    if (got <= 0) return CURL_READFUNC_ABORT;
    wanted = (size_t)got;
  }
  upload->position += (int64_t)wanted;
  return wanted;
}

/// Moves to another position, because libcurl sends a request again over another connection.
static inline int cellophane_curl_seek_upload(void *context, curl_off_t offset, int origin) {
  struct cellophane_curl_upload *upload = context;
  if (origin != SEEK_SET || offset < 0 || offset > upload->length) return CURL_SEEKFUNC_FAIL;
  upload->position = offset;
  return CURL_SEEKFUNC_OK;
}

/// Makes the next transfer an upload. `upload` must outlive it.
static inline CURLcode cellophane_curl_set_upload(CURL *easy, struct cellophane_curl_upload *upload) {
  curl_easy_setopt(easy, CURLOPT_UPLOAD, 1L);
  curl_easy_setopt(easy, CURLOPT_INFILESIZE_LARGE, (curl_off_t)upload->length);
  curl_easy_setopt(easy, CURLOPT_READDATA, upload);
  curl_easy_setopt(easy, CURLOPT_SEEKDATA, upload);
  curl_easy_setopt(easy, CURLOPT_SEEKFUNCTION, cellophane_curl_seek_upload);
  return curl_easy_setopt(easy, CURLOPT_READFUNCTION, cellophane_curl_read_upload);
}

/// Sets the functions that receive the response, and the buffer of CURL_ERROR_SIZE bytes for error messages.
static inline CURLcode cellophane_curl_set_receivers(
    CURL *easy, void *context, cellophane_curl_receive head, cellophane_curl_receive body, char *error) {
  curl_easy_setopt(easy, CURLOPT_HEADERDATA, context);
  curl_easy_setopt(easy, CURLOPT_WRITEDATA, context);
  curl_easy_setopt(easy, CURLOPT_ERRORBUFFER, error);
  curl_easy_setopt(easy, CURLOPT_HEADERFUNCTION, head);
  return curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, body);
}

/// Returns the status of the last response; 0 without one.
static inline int cellophane_curl_status(CURL *easy) {
  long status = 0;
  curl_easy_getinfo(easy, CURLINFO_RESPONSE_CODE, &status);
  return (int)status;
}

static inline CURLMcode cellophane_curl_multi_set_long(CURLM *multi, CURLMoption option, long value) {
  return curl_multi_setopt(multi, option, value);
}

/// Sets the callbacks through which libcurl reports the sockets that it waits for, and its timeout.
static inline void cellophane_curl_multi_set_callbacks(
    CURLM *multi, void *context, curl_socket_callback socket, curl_multi_timer_callback timer) {
  curl_multi_setopt(multi, CURLMOPT_SOCKETDATA, context);
  curl_multi_setopt(multi, CURLMOPT_TIMERDATA, context);
  curl_multi_setopt(multi, CURLMOPT_SOCKETFUNCTION, socket);
  curl_multi_setopt(multi, CURLMOPT_TIMERFUNCTION, timer);
}

/// Opens a non-blocking pipe that child processes do not inherit. Returns 0 on success.
static inline int cellophane_curl_pipe(int ends[2]) {
#if defined(__linux__)
  return pipe2(ends, O_CLOEXEC | O_NONBLOCK);
#else
  if (pipe(ends) != 0) return -1;
  for (int end = 0; end < 2; end++) {
    fcntl(ends[end], F_SETFD, FD_CLOEXEC);
    fcntl(ends[end], F_SETFL, O_NONBLOCK);
  }
  return 0;
#endif
}

/// The descriptors reserved for the rest of the process: for a resolver, files, and libdispatch, which terminates the
/// process when it cannot open one. 8: with fewer, the disk cache cannot write responses.
enum { cellophane_curl_reserved = 8 };

/// Returns the number of descriptors that the process may open above `descriptor`, the newest, without the reserved
/// ones. Negative if `descriptor` is itself reserved.
static inline int cellophane_curl_left_above(int descriptor) {
  struct rlimit limit;
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur > INT_MAX) return INT_MAX;
  return (int)limit.rlim_cur - descriptor - 1 - cellophane_curl_reserved;
}

static inline int cellophane_curl_socket(int family, int type, int protocol) {
#ifdef SOCK_CLOEXEC
  type |= SOCK_CLOEXEC;
#endif
  return socket(family, type, protocol);
}

/// Returns the number of sockets that can be opened now. At least 1, which may fail.
static inline int cellophane_curl_free_descriptors(void) {
  int newest = cellophane_curl_socket(AF_UNIX, SOCK_STREAM, 0);
  if (newest < 0) return 1;
  close(newest);
  int left = cellophane_curl_left_above(newest);
  return left < 1 ? 1 : left == INT_MAX ? left : left + 1;
}

/// Returns true if at least three descriptors are free: for a file, a directory and libdispatch. Called when a socket
/// got one of the last numbers, which also happens while files use lower numbers. Returns false for limits above
/// 1 024, because processes do not come near them.
static inline bool cellophane_curl_has_spare(void) {
  struct rlimit limit;
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur > 1024) return false;
  int spare = 0;
  for (int descriptor = (int)limit.rlim_cur - 1; descriptor >= 0 && spare < 3; descriptor--) {
    if (fcntl(descriptor, F_GETFD) < 0) spare++;
  }
  return spare == 3;
}

/// Opens a socket as libcurl does, but child processes do not inherit it: otherwise a closed connection would stay
/// open there. Sets `lacks_descriptors` if too few descriptors were free.
static inline curl_socket_t cellophane_curl_open(const struct curl_sockaddr *address, bool *lacks_descriptors) {
  int descriptor = cellophane_curl_socket(address->family, address->socktype, address->protocol);
  *lacks_descriptors = descriptor < 0 && (errno == EMFILE || errno == ENFILE);
  if (descriptor >= 0 && cellophane_curl_left_above(descriptor) < 0 && !cellophane_curl_has_spare()) {
    *lacks_descriptors = true;
    close(descriptor);
    return CURL_SOCKET_BAD;
  }
  return descriptor;
}

/// Returns true if `address_of` (getsockname or getpeername) of a socket gives the IP address `ip`, in libcurl's
/// spelling, and `port`.
static inline bool cellophane_curl_is_end(
    const char *ip, int port, curl_socket_t socket, int (*address_of)(int, struct sockaddr *, socklen_t *)) {
  struct sockaddr_storage address;
  socklen_t size = sizeof address;
  char text[INET6_ADDRSTRLEN];
  if (address_of(socket, (struct sockaddr *)&address, &size) != 0) return false;
  if (address.ss_family == AF_INET) {
    const struct sockaddr_in *end = (const struct sockaddr_in *)&address;
    return ntohs(end->sin_port) == port && inet_ntop(AF_INET, &end->sin_addr, text, sizeof text) != NULL
        && strcmp(text, ip) == 0;
  }
  if (address.ss_family == AF_INET6) {
    const struct sockaddr_in6 *end = (const struct sockaddr_in6 *)&address;
    return ntohs(end->sin6_port) == port && inet_ntop(AF_INET6, &end->sin6_addr, text, sizeof text) != NULL
        && strcmp(text, ip) == 0;
  }
  return false;
}

#if defined(__linux__)
/// Returns the kernel's count of bytes received over a connection, and whether the end of the stream had arrived just
/// before.
static inline int64_t cellophane_curl_counted_over(curl_socket_t socket, bool *has_ended) {
  // The kernel's struct tcp_info as far as tcpi_bytes_received (Linux 4.1); the C library's may be shorter.
  enum { tcp_info_option = 11, bytes_received = 16 };
  uint64_t info[bytes_received + 1] = {0};
  socklen_t size = sizeof info;
  if (getsockopt(socket, IPPROTO_TCP, tcp_info_option, info, &size) != 0 || size < sizeof info) return -1;
  // The first byte is the state; 1 is TCP_ESTABLISHED.
  uint8_t state;
  memcpy(&state, info, sizeof state);
  *has_ended = state != 1;
  return (int64_t)info[bytes_received];
}
#endif

/// Returns the number of bytes received over a connection, including TLS and framing; negative if the system does not
/// count them.
static inline int64_t cellophane_curl_received_over(curl_socket_t socket) {
#if defined(__linux__)
  bool has_ended;
  int64_t before = cellophane_curl_counted_over(socket, &has_ended);
  int64_t after = cellophane_curl_counted_over(socket, &has_ended);
  if (before < 0 || after < 0) return -1;
  // The kernel counts the end of the stream as one byte. Its state is read before the count, and the end may arrive
  // in between. The first count is therefore the one that cannot include it.
  if (!has_ended) return before;
  return after > 0 ? after - 1 : after;
#elif defined(TCP_CONNECTION_INFO)
  struct tcp_connection_info info;
  socklen_t size = sizeof info;
  if (getsockopt(socket, IPPROTO_TCP, TCP_CONNECTION_INFO, &info, &size) != 0) return -1;
  return (int64_t)info.tcpi_rxbytes;
#else
  return -1;
#endif
}

/// Returns the same number in half the time, or one more if the end of the stream has arrived.
static inline int64_t cellophane_curl_received_at_most(curl_socket_t socket) {
#if defined(__linux__)
  bool has_ended;
  return cellophane_curl_counted_over(socket, &has_ended);
#else
  return cellophane_curl_received_over(socket);
#endif
}

/// Returns the number of bytes that the owner has read from a connection; negative if the system does not count them.
static inline int64_t cellophane_curl_read_from(curl_socket_t socket) {
  int64_t received = cellophane_curl_received_over(socket);
  int waiting = 0;
  if (received < 0 || ioctl(socket, FIONREAD, &waiting) != 0) return -1;
  return received - waiting;
}

/// Returns 1 if bytes, an end of stream or an error are pending on any of `count` sockets.
static inline int cellophane_curl_any_readable(const curl_socket_t *sockets, int count) {
  struct pollfd descriptors[64];
  while (count > 0) {
    int part = count < 64 ? count : 64;
    for (int i = 0; i < part; i++) descriptors[i] = (struct pollfd){sockets[i], POLLIN, 0};
    if (poll(descriptors, (nfds_t)part, 0) > 0) return 1;
    sockets += part;
    count -= part;
  }
  return 0;
}

/// Shuts down a connection that libcurl uses and discards its pending bytes, so that libcurl reads the end of the
/// stream next.
static inline void cellophane_curl_break(curl_socket_t socket) {
  char bytes[4096];
  shutdown(socket, SHUT_RDWR);
  // 1 024 pieces exceed every buffer of the kernel. If the peer still sends, the close resets the connection.
  for (int pieces = 0; pieces < 1024 && recv(socket, bytes, sizeof bytes, MSG_DONTWAIT) > 0; pieces++) {}
}

/// Returns the port of an IP address, or 0 for another family.
static inline int cellophane_curl_port(const struct curl_sockaddr *address) {
  // Both structures have the port at the same offset, after the family.
  if (address->family != AF_INET && address->family != AF_INET6) return 0;
  struct sockaddr_in ip;
  if (address->addrlen < sizeof ip) return 0;
  memcpy(&ip, &address->addr, sizeof ip);
  return ntohs(ip.sin_port);
}

/// Returns true if the name servers report that a host has no address. Blocks. False if the lookup failed otherwise.
static inline bool cellophane_curl_lacks_address(const char *host) {
  struct addrinfo hints = {.ai_family = AF_UNSPEC, .ai_socktype = SOCK_STREAM};
  struct addrinfo *addresses = NULL;
  int error = getaddrinfo(host, NULL, &hints, &addresses);
  if (error == 0) freeaddrinfo(addresses);
  return error == EAI_NONAME;
}

/// Copies an IP address in network order and returns its length: 4, 16, or 0 for another family.
static inline int cellophane_curl_ip(const struct curl_sockaddr *address, uint8_t *bytes) {
  if (address->family == AF_INET && address->addrlen >= sizeof(struct sockaddr_in)) {
    struct sockaddr_in ip;
    memcpy(&ip, &address->addr, sizeof ip);
    memcpy(bytes, &ip.sin_addr, 4);
    return 4;
  }
  if (address->family == AF_INET6 && address->addrlen >= sizeof(struct sockaddr_in6)) {
    // `addr` is declared as struct sockaddr, which is smaller; libcurl stores `addrlen` bytes there.
    memcpy(bytes, (const uint8_t *)&address->addr + offsetof(struct sockaddr_in6, sin6_addr), 16);
    return 16;
  }
  return 0;
}
