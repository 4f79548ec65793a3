// Server-side TLS for test origins whose bytes are scripted, and hash functions for batches. The library is a dependency of
// libmicrohttpd.
#pragma once
#include <gnutls/crypto.h>
#include <gnutls/gnutls.h>
#include <string.h>

/// Creates credentials from PEM texts; null if they are invalid.
static inline gnutls_certificate_credentials_t cellophane_tls_credentials(const char *certificate, const char *key) {
  gnutls_certificate_credentials_t credentials = NULL;
  if (gnutls_certificate_allocate_credentials(&credentials) != GNUTLS_E_SUCCESS) return NULL;
  gnutls_datum_t chain = {(unsigned char *)certificate, (unsigned int)strlen(certificate)};
  gnutls_datum_t secret = {(unsigned char *)key, (unsigned int)strlen(key)};
  if (gnutls_certificate_set_x509_key_mem(credentials, &chain, &secret, GNUTLS_X509_FMT_PEM) < 0) {
    gnutls_certificate_free_credentials(credentials);
    return NULL;
  }
  return credentials;
}

/// Creates a session on a connected socket and performs the handshake; null if the handshake fails. `protocol` is
/// selected if the client offers it (ALPN), and may be null. `credentials` must outlive the session.
static inline gnutls_session_t cellophane_tls_accept(
    gnutls_certificate_credentials_t credentials, int socket, const char *protocol) {
  gnutls_session_t session = NULL;
  if (gnutls_init(&session, GNUTLS_SERVER | GNUTLS_NO_SIGNAL) != GNUTLS_E_SUCCESS) return NULL;
  gnutls_set_default_priority(session);
  gnutls_credentials_set(session, GNUTLS_CRD_CERTIFICATE, credentials);
  if (protocol != NULL) {
    gnutls_datum_t name = {(unsigned char *)protocol, (unsigned int)strlen(protocol)};
    gnutls_alpn_set_protocols(session, &name, 1, 0);
  }
  gnutls_transport_set_int2(session, socket, socket);
  int result;
  do result = gnutls_handshake(session);
  while (result < 0 && !gnutls_error_is_fatal(result));
  if (result == GNUTLS_E_SUCCESS) return session;
  gnutls_deinit(session);
  return NULL;
}
