/* What DPDK's meson would write for this machine: what its ring needs of it. */
#define RTE_ARCH_X86 1
#define RTE_ARCH_X86_64 1
#define RTE_ARCH_64 1
#define RTE_EXEC_ENV_LINUX 1
#define RTE_TOOLCHAIN_CLANG 1
#define RTE_MAX_LCORE 128
#define RTE_MAX_NUMA_NODES 32
#define RTE_CACHE_LINE_SIZE 64
#define RTE_ENABLE_ASSERT 1
