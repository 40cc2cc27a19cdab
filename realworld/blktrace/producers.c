// blktrace's tracers, one for each processor, read traces from files and hand
// them to main, which writes them out.  There is no debugfs: main writes the
// files of the traces, and system calls for the device do nothing.  Deadlines of
// waits are all the same, or rounds of its loops would be without end.  With
// -DFAILED main stops the tracers as if one could not be started.
#include <sys/ioctl.h>
#include <sys/time.h>
#define main blktrace_main
#define ioctl(...) 0
#define gettimeofday(now, zone) memset(now, 0, sizeof *(now))
#include "blktrace.c"
#undef main
#include <assert.h>

#ifndef CPUS
#define CPUS 2
#endif

static void write_trace(int cpu) {
  struct blk_io_trace trace = {.sequence = 1, .cpu = (u32)cpu};
  char name[64];
  snprintf(name, sizeof name, "traces/block/sda/trace%d", cpu);
  FILE *file = fopen(name, "w");
  assert(file && fwrite(&trace, sizeof trace, 1, file) == 1);
  fclose(file);
}

static void set_up(struct devpath *device) {
  mkdir("traces", 0700), mkdir("traces/block", 0700);
  mkdir("traces/block/sda", 0700);
  for (int cpu = 0; cpu < CPUS; cpu++) write_trace(cpu);
  debugfs_path = "traces";
  ncpus = max_cpus = CPUS;
  online_cpus = CPU_ALLOC(CPUS);
  for (int cpu = 0; cpu < CPUS; cpu++)
    CPU_SET_S(cpu, CPU_ALLOC_SIZE(CPUS), online_cpus);
  device->buts_name = "sda", device->ncpus = CPUS;
  device->stats = calloc(CPUS, sizeof *device->stats);
  list_add_tail(&device->head, &devpaths);
  ndevs = 1, buf_size = 128;
  piped_output = 1, handle_pfds = handle_pfds_entries;
  handle_list = handle_list_file;
  pfp = fopen("out", "w");
}

int main(void) {
  static struct devpath device;
  set_up(&device);
  assert(setup_tracer_devpaths() == 0);
  start_tracers();
  assert(nthreads_running == CPUS);
  handle_sigint(SIGINT);
#ifndef FAILED
  unblock_tracers();
#endif
  __process_trace_bufs();
  wait_tracers();
  assert(device.stats[0].nevents == 1);
  assert(ftell(pfp) == CPUS * (long)sizeof(struct blk_io_trace));
}
