// RTP load: every call has two parties that send a PCMA packet each 20 ms and time what comes back through the relay.
// usage: rtp-load <calls> <seconds> <port of all A parties> <port of all B parties> [<voice of A> <voice of B>],
// relay ports "A B" a line on stdin. A voice is <payload type>:<timestamp step>:<file of frames, each behind its length
// in two octets, the lower first>; such packets come back as others, so they are counted and not timed.
// Prints "measuring" when the warm-up is over, then one line of JSON.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { HEADER = 12, PACKET = HEADER + 160, LONGEST = 1200, BATCH = 64, BUCKETS = 1000000 };
static const int64_t SECOND = 1000000000, FRAME = 20000000, TICK = 500000, WARM_UP = 1500000000;

struct mark { int64_t sent_at; uint32_t stream; uint32_t round; } __attribute__((packed));

struct voice { uint8_t type; uint32_t step; int count; uint8_t *frames[4096]; uint16_t lengths[4096]; };

static int calls, seconds, speaks;
static struct voice voices[2];
static struct sockaddr_in *relay_ports; // two a call: facing A, facing B
static _Atomic uint32_t *histogram;     // one bucket a microsecond
static _Atomic uint64_t received, worst;
static uint64_t sent, late;
static _Atomic int64_t measure_from = INT64_MAX, measure_to = INT64_MAX;
static _Atomic int finished;

static int64_t now(void) {
  struct timespec t;
  clock_gettime(CLOCK_REALTIME, &t);
  return t.tv_sec * SECOND + t.tv_nsec;
}

static int open_port(int port) {
  int fd = socket(AF_INET, SOCK_DGRAM, 0), on = 1, size = 8 << 20;
  struct sockaddr_in at = {.sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  struct timeval patience = {.tv_usec = 100000};
  if (setsockopt(fd, SOL_SOCKET, SO_RCVBUFFORCE, &size, sizeof size)) setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &size, sizeof size);
  setsockopt(fd, SOL_SOCKET, SO_TIMESTAMPNS, &on, sizeof on);
  setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
  if (bind(fd, (struct sockaddr *)&at, sizeof at)) { perror("bind"); exit(1); }
  return fd;
}

static int64_t arrival(struct msghdr *message) {
  for (struct cmsghdr *c = CMSG_FIRSTHDR(message); c; c = CMSG_NXTHDR(message, c))
    if (c->cmsg_level == SOL_SOCKET && c->cmsg_type == SCM_TIMESTAMPNS) {
      struct timespec t;
      memcpy(&t, CMSG_DATA(c), sizeof t);
      return t.tv_sec * SECOND + t.tv_nsec;
    }
  return now();
}

static void *listen_on(void *argument) {
  int fd = *(int *)argument;
  static _Thread_local uint8_t packets[BATCH][2048], control[BATCH][64];
  struct mmsghdr messages[BATCH];
  struct iovec parts[BATCH];
  while (!finished) {
    memset(messages, 0, sizeof messages);
    for (int i = 0; i < BATCH; i++) {
      parts[i] = (struct iovec){packets[i], sizeof packets[i]};
      messages[i].msg_hdr = (struct msghdr){.msg_iov = &parts[i], .msg_iovlen = 1, .msg_control = control[i], .msg_controllen = sizeof control[i]};
    }
    int count = recvmmsg(fd, messages, BATCH, MSG_WAITFORONE, NULL);
    int64_t woke = now();
    for (int i = 0; i < count; i++) {
      struct mark mark;
      if (speaks) {
        int type = packets[i][1] & 0x7f, is_voice = messages[i].msg_len > HEADER && (type < 72 || type > 79); // reports
        if (is_voice && woke >= measure_from && woke < measure_to) received++;
        continue;
      }
      if (messages[i].msg_len < PACKET) continue; // reports
      memcpy(&mark, packets[i] + HEADER, sizeof mark);
      if (mark.stream >= (uint32_t)calls * 2 || mark.sent_at < measure_from || mark.sent_at >= measure_to) continue;
      int64_t delay = arrival(&messages[i].msg_hdr) - mark.sent_at;
      uint64_t micros = delay < 0 ? 0 : delay / 1000;
      histogram[micros < BUCKETS ? micros : BUCKETS - 1]++;
      received++;
      if (micros > worst) worst = micros;
    }
  }
  return NULL;
}

static void write_packet(uint8_t *packet, uint32_t stream, uint32_t round) {
  struct mark mark = {.sent_at = now(), .stream = stream, .round = round};
  uint16_t sequence = htons(round);
  uint32_t timestamp = htonl(round * 160), ssrc = htonl(stream + 1);
  packet[0] = 0x80;
  packet[1] = 8;
  memcpy(packet + 2, &sequence, 2);
  memcpy(packet + 4, &timestamp, 4);
  memcpy(packet + 8, &ssrc, 4);
  memcpy(packet + HEADER, &mark, sizeof mark);
}

// Each stream is at another place of the voice, so that their silences do not fall together.
static int write_voice(uint8_t *packet, uint32_t stream, uint32_t round) {
  struct voice *voice = &voices[stream & 1];
  int frame = (round + stream * 37) % voice->count;
  uint32_t timestamp = htonl(round * voice->step);
  packet[1] = voice->type;
  memcpy(packet + 4, &timestamp, 4);
  memcpy(packet + HEADER, voice->frames[frame], voice->lengths[frame]);
  return HEADER + voice->lengths[frame];
}

static void read_voice(struct voice *voice, const char *words) {
  int type, step, at = 0;
  if (sscanf(words, "%d:%d:%n", &type, &step, &at) < 2 || at == 0) exit(2);
  FILE *file = fopen(words + at, "rb");
  uint8_t length[2];
  if (!file) { perror(words + at); exit(1); }
  voice->type = type;
  voice->step = step;
  while (voice->count < 4096 && fread(length, 1, 2, file) == 2) {
    int octets = length[0] | length[1] << 8;
    uint8_t *frame = malloc(octets);
    if (octets > LONGEST || fread(frame, 1, octets, file) != (size_t)octets) exit(2);
    voice->frames[voice->count] = frame;
    voice->lengths[voice->count++] = octets;
  }
  fclose(file);
  if (voice->count == 0) exit(2);
  speaks = 1;
}

// Streams take turns, evenly spread over the 20 ms of a frame.
static void talk(int sockets[2]) {
  static uint8_t packets[2][BATCH][HEADER + LONGEST];
  struct mmsghdr messages[2][BATCH];
  struct iovec parts[2][BATCH];
  int streams = calls * 2;
  int64_t start = now() + SECOND / 20, end = start + WARM_UP + seconds * SECOND;
  memset(packets, 0xd5, sizeof packets);
  measure_from = start + WARM_UP;
  measure_to = end;
  int told = 0;
  uint64_t turn = 0;
  for (int64_t tick = start; tick < end; tick += TICK) {
    struct timespec until = {tick / SECOND, tick % SECOND};
    clock_nanosleep(CLOCK_REALTIME, TIMER_ABSTIME, &until, NULL);
    int64_t woke = now();
    if (woke > tick + 5000000) late++;
    if (!told && woke >= measure_from) { puts("measuring"); fflush(stdout); told = 1; }
    for (;;) {
      int count[2] = {0, 0};
      while (count[0] < BATCH && count[1] < BATCH && start + (int64_t)(turn * (double)FRAME / streams) <= woke) {
        uint32_t stream = turn % streams, side = stream & 1;
        int place = count[side]++;
        write_packet(packets[side][place], stream, turn / streams);
        int length = speaks ? write_voice(packets[side][place], stream, turn / streams) : PACKET;
        parts[side][place] = (struct iovec){packets[side][place], length};
        messages[side][place].msg_hdr = (struct msghdr){.msg_name = &relay_ports[stream], .msg_namelen = sizeof *relay_ports, .msg_iov = &parts[side][place], .msg_iovlen = 1};
        if (woke >= measure_from && woke < measure_to) sent++;
        turn++;
      }
      if (count[0] + count[1] == 0) break;
      for (int side = 0; side < 2; side++)
        for (int done = 0; done < count[side];) {
          int now_done = sendmmsg(sockets[side], messages[side] + done, count[side] - done, 0);
          if (now_done <= 0) break;
          done += now_done;
        }
    }
  }
}

static double quantile(double part) {
  uint64_t wanted = part * received, seen = 0;
  for (int i = 0; i < BUCKETS; i++)
    if ((seen += histogram[i]) > wanted) return i / 1000.0;
  return worst / 1000.0;
}

int main(int count, char **arguments) {
  if (count < 5) return 2;
  calls = atoi(arguments[1]);
  seconds = atoi(arguments[2]);
  for (int side = 0; side < 2 && count == 7; side++) read_voice(&voices[side], arguments[5 + side]);
  relay_ports = calloc(calls * 2, sizeof *relay_ports);
  histogram = calloc(BUCKETS, sizeof *histogram);
  for (int i = 0; i < calls * 2; i++) {
    int port;
    if (scanf("%d", &port) != 1) return 2;
    relay_ports[i] = (struct sockaddr_in){.sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  }
  int sockets[2] = {open_port(atoi(arguments[3])), open_port(atoi(arguments[4]))};
  pthread_t listeners[2];
  for (int side = 0; side < 2; side++) pthread_create(&listeners[side], NULL, listen_on, &sockets[side]);
  talk(sockets);
  usleep(300000);
  finished = 1;
  for (int side = 0; side < 2; side++) pthread_join(listeners[side], NULL);
  printf("{\"sent\":%lu,\"received\":%lu,\"p50\":%.3f,\"p99\":%.3f,\"p999\":%.3f,\"worst\":%.3f,\"late\":%lu}\n", sent,
         (unsigned long)received, quantile(0.5), quantile(0.99), quantile(0.999), worst / 1000.0, late);
  return 0;
}
