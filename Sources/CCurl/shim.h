// Typed faces of libcurl's variadic functions, which Swift cannot call.
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

/// Receives a piece of head or body; fewer than `count` back ends the transfer.
typedef size_t (*cellophane_curl_receive)(char *bytes, size_t size, size_t count, void *context);

/// What an easy handle calls while it works.
struct cellophane_curl_callbacks {
  void *context;
  cellophane_curl_receive head;
  cellophane_curl_receive body;
  /// Gets what went wrong in words, CURL_ERROR_SIZE bytes at most.
  char *words;
  /// Called when a name is looked up that is not known yet.
  curl_resolver_start_callback lookup;
  curl_prereq_callback sending;
  curl_opensocket_callback open;
  curl_closesocket_callback close;
  /// What `close` gets: a connection may outlive the handle that made it.
  void *sockets;
};

/// Ends the connection and closes its socket. A child process that is just being started holds copies of all
/// sockets until its own program runs; closing alone would keep the connection open that long.
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
  curl_easy_setopt(easy, CURLOPT_ERRORBUFFER, callbacks.words);
  curl_easy_setopt(easy, CURLOPT_OPENSOCKETFUNCTION, callbacks.open);
  curl_easy_setopt(easy, CURLOPT_CLOSESOCKETFUNCTION, callbacks.close);
  curl_easy_setopt(easy, CURLOPT_CLOSESOCKETDATA, callbacks.sockets);
  curl_easy_setopt(easy, CURLOPT_RESOLVER_START_FUNCTION, callbacks.lookup);
  return curl_easy_setopt(easy, CURLOPT_PREREQFUNCTION, callbacks.sending);
}

/// The context given to `cellophane_curl_set_callbacks`.
static inline void *cellophane_curl_context(CURL *easy) {
  void *context = NULL;
  curl_easy_getinfo(easy, CURLINFO_PRIVATE, &context);
  return context;
}

/// The absolute URL that the answer redirects to, or null. Owned by the handle until its next transfer.
static inline const char *cellophane_curl_redirect(CURL *easy) {
  char *url = NULL;
  curl_easy_getinfo(easy, CURLINFO_REDIRECT_URL, &url);
  return url;
}

/// What a proxy answered to the last request for a tunnel; 0 when none was asked.
static inline int cellophane_curl_tunnel_status(CURL *easy) {
  long status = 0;
  curl_easy_getinfo(easy, CURLINFO_HTTP_CONNECTCODE, &status);
  return (int)status;
}

/// What the TLS library said of the origin's certificate, in its own codes.
static inline long cellophane_curl_verify_result(CURL *easy) {
  long result = 0;
  curl_easy_getinfo(easy, CURLINFO_SSL_VERIFYRESULT, &result);
  return result;
}

/// Whether head lines are told as they came: from 8.18.0 on libcurl unfolds them before.
static inline int cellophane_curl_tells_heads_as_sent(void) {
  return curl_version_info(CURLVERSION_NOW)->version_num < 0x081200;
}

/// The bytes of the body received, before content decoding.
static inline int64_t cellophane_curl_received(CURL *easy) {
  curl_off_t bytes = 0;
  curl_easy_getinfo(easy, CURLINFO_SIZE_DOWNLOAD_T, &bytes);
  return bytes;
}

/// When the last transfer had come so far, in microseconds from its beginning; 0 for what was not reached.
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

static inline CURLMcode cellophane_curl_multi_set_long(CURLM *multi, CURLMoption option, long value) {
  return curl_multi_setopt(multi, option, value);
}

/// Has libcurl say which sockets it waits for, and how long at most.
static inline void cellophane_curl_multi_set_callbacks(
    CURLM *multi, void *context, curl_socket_callback socket, curl_multi_timer_callback timer) {
  curl_multi_setopt(multi, CURLMOPT_SOCKETDATA, context);
  curl_multi_setopt(multi, CURLMOPT_TIMERDATA, context);
  curl_multi_setopt(multi, CURLMOPT_SOCKETFUNCTION, socket);
  curl_multi_setopt(multi, CURLMOPT_TIMERFUNCTION, timer);
}

/// Opens a pipe that no child process inherits, and at which nobody waits; 0 when that worked.
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

/// How many descriptors are left to the rest of the process: to a resolver, to files, and to libdispatch, which ends
/// the process when it gets none for a moment. 8: with fewer, the disk cache cannot write what comes.
enum { cellophane_curl_reserved = 8 };

/// How many more descriptors than `descriptor`, the newest, the process may have beside those; negative when that one
/// is already of those.
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

/// How many sockets can be opened now; at least one, which may fail.
static inline int cellophane_curl_room(void) {
  int newest = cellophane_curl_socket(AF_UNIX, SOCK_STREAM, 0);
  if (newest < 0) return 1;
  close(newest);
  int left = cellophane_curl_left_above(newest);
  return left < 1 ? 1 : left == INT_MAX ? left : left + 1;
}

/// Whether at least three descriptors are free besides those that are open now: for a file, for a directory, and for
/// libdispatch. Asked when a socket got one of the last numbers, which it also does while files have those before. A
/// process that may have more than a thousand does not come near.
static inline bool cellophane_curl_has_spare(void) {
  struct rlimit limit;
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur > 1024) return false;
  int spare = 0;
  for (int descriptor = (int)limit.rlim_cur - 1; descriptor >= 0 && spare < 3; descriptor--) {
    if (fcntl(descriptor, F_GETFD) < 0) spare++;
  }
  return spare == 3;
}

/// Opens the socket that libcurl would have opened, except that no child process inherits it: there, a closed
/// connection would stay open. Says whether one of the last descriptors was missing for it.
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

/// Whether `address_of` (getsockname or getpeername) gives an IP address, as libcurl writes it, and a port for a socket.
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
/// What the kernel counts as received over a connection, and whether its end had come just before it was counted.
static inline int64_t cellophane_curl_counted_over(curl_socket_t socket, bool *has_ended) {
  // The kernel's struct tcp_info as far as tcpi_bytes_received (Linux 4.1); the C library's may be shorter.
  enum { tcp_info_option = 11, bytes_received = 16 };
  uint64_t info[bytes_received + 1] = {0};
  socklen_t size = sizeof info;
  if (getsockopt(socket, IPPROTO_TCP, tcp_info_option, info, &size) != 0 || size < sizeof info) return -1;
  // The state is the first byte; 1 is a connection without an end.
  uint8_t state;
  memcpy(&state, info, sizeof state);
  *has_ended = state != 1;
  return (int64_t)info[bytes_received];
}
#endif

/// The bytes that have come over a connection, whatever they are; negative where the system does not tell.
static inline int64_t cellophane_curl_received_over(curl_socket_t socket) {
#if defined(__linux__)
  bool has_ended;
  int64_t before = cellophane_curl_counted_over(socket, &has_ended);
  int64_t after = cellophane_curl_counted_over(socket, &has_ended);
  if (before < 0 || after < 0) return -1;
  // The end of the stream is counted as one more. It is looked for before the bytes are counted, and may come in
  // between: so the count that it cannot be in is the one before it was looked for.
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

/// The same, or one more when the end of the stream has come: in half the time.
static inline int64_t cellophane_curl_received_at_most(curl_socket_t socket) {
#if defined(__linux__)
  bool has_ended;
  return cellophane_curl_counted_over(socket, &has_ended);
#else
  return cellophane_curl_received_over(socket);
#endif
}

/// The bytes that were read from a connection by its owner; negative where the system does not tell.
static inline int64_t cellophane_curl_read_from(curl_socket_t socket) {
  int64_t received = cellophane_curl_received_over(socket);
  int waiting = 0;
  if (received < 0 || ioctl(socket, FIONREAD, &waiting) != 0) return -1;
  return received - waiting;
}

/// Whether bytes, an end or an error wait on any of `count` sockets.
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

/// Ends a connection under libcurl's hands, and drops what waits, so that nothing is left of it but the end.
static inline void cellophane_curl_break(curl_socket_t socket) {
  char bytes[4096];
  shutdown(socket, SHUT_RDWR);
  // 1 024 pieces: more than any buffer of the kernel holds; whoever still sends is reset by the close.
  for (int pieces = 0; pieces < 1024 && recv(socket, bytes, sizeof bytes, MSG_DONTWAIT) > 0; pieces++) {}
}

/// The port of an IP address, or 0 for another family.
static inline int cellophane_curl_port(const struct curl_sockaddr *address) {
  // Both have it in the same place, behind the family (POSIX has them alike for that).
  if (address->family != AF_INET && address->family != AF_INET6) return 0;
  struct sockaddr_in ip;
  if (address->addrlen < sizeof ip) return 0;
  memcpy(&ip, &address->addr, sizeof ip);
  return ntohs(ip.sin_port);
}

/// Whether name servers say that a host has no address. Blocks. False when one could not tell, or when there is one.
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
    // `addr` is declared as the smaller struct sockaddr; libcurl stores `addrlen` bytes from there on.
    memcpy(bytes, (const uint8_t *)&address->addr + offsetof(struct sockaddr_in6, sin6_addr), 16);
    return 16;
  }
  return 0;
}
