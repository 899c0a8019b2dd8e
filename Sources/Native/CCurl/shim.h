#ifndef REHEARSAL_CCURL_SHIM_H
#define REHEARSAL_CCURL_SHIM_H

#include <curl/curl.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/timerfd.h>
#include <sys/timex.h>

/* Swift calls no variadic functions: one function for each type that an option or a piece of information has. */

typedef size_t (*rehearsal_curl_data)(char *bytes, size_t size, size_t count, void *context);
typedef int (*rehearsal_curl_close)(void *context, curl_socket_t socket);
typedef curl_socket_t (*rehearsal_curl_open)(void *context, curlsocktype purpose, struct curl_sockaddr *address);
typedef int (*rehearsal_curl_start)(void *context, char *peer, char *own, int peer_port, int own_port);
typedef int (*rehearsal_curl_socket)(CURL *easy, curl_socket_t socket, int what, void *context, void *of_socket);
typedef int (*rehearsal_curl_timer)(CURLM *multi, long milliseconds, void *context);

static inline CURLcode rehearsal_curl_set_long(CURL *easy, CURLoption option, long value) {
  return curl_easy_setopt(easy, option, value);
}
static inline CURLcode rehearsal_curl_set_size(CURL *easy, CURLoption option, curl_off_t value) {
  return curl_easy_setopt(easy, option, value);
}
static inline CURLcode rehearsal_curl_set_pointer(CURL *easy, CURLoption option, void *value) {
  return curl_easy_setopt(easy, option, value);
}
static inline CURLcode rehearsal_curl_set_text(CURL *easy, CURLoption option, const char *value) {
  return curl_easy_setopt(easy, option, value);
}
static inline CURLcode rehearsal_curl_set_data(CURL *easy, CURLoption option, rehearsal_curl_data function) {
  return curl_easy_setopt(easy, option, function);
}
static inline CURLcode rehearsal_curl_set_open(CURL *easy, rehearsal_curl_open function, void *context) {
  CURLcode code = curl_easy_setopt(easy, CURLOPT_OPENSOCKETFUNCTION, function);
  return code == CURLE_OK ? curl_easy_setopt(easy, CURLOPT_OPENSOCKETDATA, context) : code;
}
static inline CURLcode rehearsal_curl_set_close(CURL *easy, rehearsal_curl_close function, void *context) {
  CURLcode code = curl_easy_setopt(easy, CURLOPT_CLOSESOCKETFUNCTION, function);
  return code == CURLE_OK ? curl_easy_setopt(easy, CURLOPT_CLOSESOCKETDATA, context) : code;
}
static inline CURLcode rehearsal_curl_set_start(CURL *easy, rehearsal_curl_start function, void *context) {
  CURLcode code = curl_easy_setopt(easy, CURLOPT_PREREQFUNCTION, function);
  return code == CURLE_OK ? curl_easy_setopt(easy, CURLOPT_PREREQDATA, context) : code;
}
static inline CURLMcode rehearsal_curl_multi_set_long(CURLM *multi, CURLMoption option, long value) {
  return curl_multi_setopt(multi, option, value);
}
static inline CURLMcode rehearsal_curl_multi_set_socket(CURLM *multi, rehearsal_curl_socket function, void *context) {
  CURLMcode code = curl_multi_setopt(multi, CURLMOPT_SOCKETFUNCTION, function);
  return code == CURLM_OK ? curl_multi_setopt(multi, CURLMOPT_SOCKETDATA, context) : code;
}
static inline CURLMcode rehearsal_curl_multi_set_timer(CURLM *multi, rehearsal_curl_timer function, void *context) {
  CURLMcode code = curl_multi_setopt(multi, CURLMOPT_TIMERFUNCTION, function);
  return code == CURLM_OK ? curl_multi_setopt(multi, CURLMOPT_TIMERDATA, context) : code;
}
static inline long rehearsal_curl_long(CURL *easy, CURLINFO info) {
  long value = 0;
  return curl_easy_getinfo(easy, info, &value) == CURLE_OK ? value : 0;
}
static inline curl_off_t rehearsal_curl_size(CURL *easy, CURLINFO info) {
  curl_off_t value = 0;
  return curl_easy_getinfo(easy, info, &value) == CURLE_OK ? value : 0;
}
static inline const char *rehearsal_curl_text(CURL *easy, CURLINFO info) {
  char *value = NULL;
  return curl_easy_getinfo(easy, info, &value) == CURLE_OK ? value : NULL;
}
static inline void *rehearsal_curl_private(CURL *easy) {
  char *value = NULL;
  return curl_easy_getinfo(easy, CURLINFO_PRIVATE, &value) == CURLE_OK ? value : NULL;
}
static inline long rehearsal_curl_global(void) { return (long)curl_global_init(CURL_GLOBAL_DEFAULT); }
static inline curl_socket_t rehearsal_curl_timeout_socket(void) { return CURL_SOCKET_TIMEOUT; }

/* One nanosecond in place of fifty microseconds that the kernel may let a thread of its own oversleep. */
static inline int rehearsal_least_timer_slack(void) { return prctl(PR_SET_TIMERSLACK, 1UL, 0UL, 0UL, 0UL); }

#endif
