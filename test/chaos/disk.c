/* A disk that fails when it is told to: stands before the C library and refuses writes and syncs of files below one folder.
   Its two switches are the first bytes of a small file that is mapped into every process that has it loaded. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/uio.h>
#include <unistd.h>

static volatile char *switches;
static const char *folder;

__attribute__((constructor)) static void begin(void) {
  const char *path = getenv("CHAOS_DISK_SWITCHES");
  folder = getenv("CHAOS_DISK_FOLDER");
  if (!path || !folder) return;
  int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return;
  void *mapped = mmap(0, 2, PROT_READ, MAP_SHARED, file, 0);
  close(file);
  if (mapped != MAP_FAILED) switches = mapped;
}

static int fails(int which, int file) {
  if (!switches || switches[which] != '1') return 0;
  // Nothing here may take a lock: a signal handler writes, too. What is no file has no path that begins so.
  char link[64], path[4096];
  snprintf(link, sizeof link, "/proc/self/fd/%d", file);
  ssize_t length = readlink(link, path, sizeof path - 1);
  if (length <= 0) return 0;
  path[length] = 0;
  return strncmp(path, folder, strlen(folder)) == 0;
}

#define WRITES(type, name, params, args)                                                                                   \
  type name params {                                                                                                       \
    static type(*real) params;                                                                                             \
    if (!real) real = dlsym(RTLD_NEXT, #name);                                                                             \
    if (fails(0, file)) { errno = ENOSPC; return -1; }                                                                     \
    return real args;                                                                                                      \
  }
#define SYNCS(name)                                                                                                        \
  int name(int file) {                                                                                                     \
    static int (*real)(int);                                                                                               \
    if (!real) real = dlsym(RTLD_NEXT, #name);                                                                             \
    if (fails(1, file)) { errno = EIO; return -1; }                                                                        \
    return real(file);                                                                                                     \
  }

WRITES(ssize_t, write, (int file, const void *bytes, size_t count), (file, bytes, count))
WRITES(ssize_t, pwrite, (int file, const void *bytes, size_t count, off_t at), (file, bytes, count, at))
WRITES(ssize_t, pwrite64, (int file, const void *bytes, size_t count, off64_t at), (file, bytes, count, at))
WRITES(ssize_t, writev, (int file, const struct iovec *parts, int count), (file, parts, count))
WRITES(ssize_t, pwritev, (int file, const struct iovec *parts, int count, off_t at), (file, parts, count, at))
WRITES(ssize_t, pwritev64, (int file, const struct iovec *parts, int count, off64_t at), (file, parts, count, at))
SYNCS(fsync)
SYNCS(fdatasync)
