// C functions that Swift cannot call because they are variadic, and two socket calls whose declarations glibc hides
// from Swift.
#pragma once
#include <arpa/inet.h>
#include <fcntl.h>
#include <microhttpd.h>
#include <netinet/in.h>
#include <poll.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#ifdef __linux__
// Both exist since Linux 2.6.17; <poll.h> declares them only under _GNU_SOURCE.
extern int ppoll(struct pollfd *, nfds_t, const struct timespec *, const __sigset_t *);
#define CELLOPHANE_POLL_HANGUP 0x2000  // POLLRDHUP
#else
#define CELLOPHANE_POLL_HANGUP POLLHUP
#endif

/// Waits up to `nanoseconds` for one of `count` descriptors; without a limit if negative.
static inline int cellophane_poll(struct pollfd *descriptors, int count, int64_t nanoseconds) {
#ifdef __linux__
  struct timespec timeout = {nanoseconds / 1000000000, nanoseconds % 1000000000};
  return ppoll(descriptors, (nfds_t)count, nanoseconds < 0 ? NULL : &timeout, NULL);
#else
  int64_t milliseconds = (nanoseconds + 999999) / 1000000;
  return poll(descriptors, (nfds_t)count, nanoseconds < 0 ? -1 : milliseconds > 60000 ? 60000 : (int)milliseconds);
#endif
}

/// Returns true if the peer of a socket has closed the connection.
static inline int cellophane_is_hung_up(int socket) {
  struct pollfd descriptor = {socket, CELLOPHANE_POLL_HANGUP, 0};
  return poll(&descriptor, 1, 0) > 0;
}

/// Limits the send buffer of a socket in the kernel.
static inline void cellophane_limit_send_buffer(int socket, int bytes) {
  setsockopt(socket, SOL_SOCKET, SO_SNDBUF, &bytes, sizeof bytes);
}

/// Opens a socket that listens on a free loopback port and stores the port in `port`; -1 if no port is free.
static inline int cellophane_listen(int *port) {
  struct sockaddr_in address = {0};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  int listener = socket(AF_INET, SOCK_STREAM, 0);
  if (listener < 0) return -1;
  // 16: more connections than any test opens at the same time.
  if (fcntl(listener, F_SETFD, FD_CLOEXEC) != 0 || bind(listener, (struct sockaddr *)&address, size) != 0 ||
      getsockname(listener, (struct sockaddr *)&address, &size) != 0 || listen(listener, 16) != 0) {
    close(listener);
    return -1;
  }
  *port = ntohs(address.sin_port);
  return listener;
}

/// Connects to a loopback port; -1 on failure.
static inline int cellophane_connect(int port) {
  struct sockaddr_in address = {0};
  address.sin_family = AF_INET;
  address.sin_port = htons((uint16_t)port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  int connection = socket(AF_INET, SOCK_STREAM, 0);
  if (connection < 0) return -1;
  if (fcntl(connection, F_SETFD, FD_CLOEXEC) == 0 &&
      connect(connection, (struct sockaddr *)&address, sizeof address) == 0) {
    return connection;
  }
  close(connection);
  return -1;
}

/// Relays data between two sockets in both directions until one of them ends.
static inline void cellophane_relay(int one, int other) {
  char bytes[16384];
  struct pollfd ends[2] = {{one, POLLIN, 0}, {other, POLLIN, 0}};
  while (poll(ends, 2, -1) > 0) {
    for (int from = 0; from < 2; from++) {
      if (ends[from].revents == 0) continue;
      ssize_t count = read(ends[from].fd, bytes, sizeof bytes);
      if (count <= 0) return;
      for (ssize_t sent = 0; sent < count;) {
        ssize_t part = send(ends[1 - from].fd, bytes + sent, (size_t)(count - sent), MSG_NOSIGNAL);
        if (part <= 0) return;
        sent += part;
      }
    }
  }
}

/// The configuration of an origin. Port 0 selects a free port, a public origin listens on all interfaces, and
/// certificate and key are PEM texts, or null for plain HTTP.
struct cellophane_origin {
  uint16_t port;
  int is_public;
  void *context;
  MHD_AccessHandlerCallback answer;
  void *(*begin)(void *context, const char *uri, struct MHD_Connection *connection);
  MHD_RequestCompletedCallback end;
  MHD_NotifyConnectionCallback connection;
  const char *certificate;
  const char *key;
};

static inline struct MHD_Daemon *cellophane_start_origin(struct cellophane_origin origin) {
  unsigned int flags = MHD_USE_AUTO_INTERNAL_THREAD | MHD_ALLOW_SUSPEND_RESUME;
  struct sockaddr_in address = {0};
  address.sin_family = AF_INET;
  address.sin_port = htons(origin.port);
  address.sin_addr.s_addr = htonl(origin.is_public ? INADDR_ANY : INADDR_LOOPBACK);
  // The remaining elements are zero, which is MHD_OPTION_END.
  struct MHD_OptionItem options[7] = {
      {MHD_OPTION_SOCK_ADDR, 0, &address},
      {MHD_OPTION_URI_LOG_CALLBACK, (intptr_t)origin.begin, origin.context},
      {MHD_OPTION_NOTIFY_COMPLETED, (intptr_t)origin.end, origin.context},
      {MHD_OPTION_NOTIFY_CONNECTION, (intptr_t)origin.connection, origin.context},
  };
  int count = 4;
  if (origin.certificate != NULL) {
    flags |= MHD_USE_TLS;
    options[count++] = (struct MHD_OptionItem){MHD_OPTION_HTTPS_MEM_CERT, 0, (void *)origin.certificate};
    options[count++] = (struct MHD_OptionItem){MHD_OPTION_HTTPS_MEM_KEY, 0, (void *)origin.key};
  }
  return MHD_start_daemon(flags, 0, NULL, NULL, origin.answer, origin.context, MHD_OPTION_ARRAY, options,
                          MHD_OPTION_END);
}

static inline int cellophane_origin_port(struct MHD_Daemon *daemon) {
  const union MHD_DaemonInfo *info = MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_BIND_PORT);
  return info == NULL ? 0 : info->port;
}

static inline int cellophane_connection_socket(struct MHD_Connection *connection) {
  const union MHD_ConnectionInfo *info =
      MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
  return info == NULL ? -1 : info->connect_fd;
}

/// Returns the value that the connection callback stored for a connection.
static inline void *cellophane_connection_context(struct MHD_Connection *connection) {
  const union MHD_ConnectionInfo *info =
      MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
  return info == NULL ? NULL : info->socket_context;
}

static inline int cellophane_request_head_size(struct MHD_Connection *connection) {
  const union MHD_ConnectionInfo *info =
      MHD_get_connection_info(connection, MHD_CONNECTION_INFO_REQUEST_HEADER_SIZE);
  return info == NULL ? 0 : (int)info->header_size;
}
