# heddle: `make` leaves the command at build/heddle, usable in place.
#
#   make demo       set up, build, and check an example with a real bug
#   make test       set up, build, and run all tests
#   make fuzz       judge the algorithms by random programs for a minute
#   make test-hard  the same in a hostile build, and under sanitizers
#   make bench      measure, in under two minutes
#   make bench-full measure all of it: 20 s for each exploration
#   make install    into PREFIX (default /usr/local), below DESTDIR if given
#   make uninstall  take the same files away again
#   make manual     bring the tables of the manual up to date with the code
#   make examples   bring the reports in README.md and docs up to date
#   make format     lay out the sources; check-format only complains
#
# WERROR=1 turns warnings into errors.  BUILD=DIR builds somewhere else.  V=1
# shows the commands.

BUILD = build
# However the folder is named: files that say what an object depends on have its
# name in them.
override BUILD := $(patsubst $(CURDIR)/%,%,$(BUILD))
PREFIX = /usr/local
DESTDIR =
DEMO = examples/shutdown.c

ifeq ($(origin CC),default)
CC = gcc
endif
LD = ld
AR = ar
OBJCOPY = objcopy
CFLAGS = -O2 -g
WARNINGS = -Wall -Wextra -Wshadow -Wmissing-prototypes -Wstrict-prototypes \
	-Wundef
ifeq ($(WERROR),1)
WARNINGS += -Werror
endif
ifneq ($(V),1)
Q = @
say = @echo '  $(1)'
endif
COMPILE = $(CC) -std=gnu11 $(WARNINGS) $(CFLAGS) -Isrc -Iinclude -MMD -MP \
	$(CPPFLAGS)

# The runtime goes into other people's programs: position independent, nothing
# exported by accident, and no loop of ours turned into a call of the function
# that the loop defines.
LIBFLAGS = -fPIC -fvisibility=hidden -fno-stack-protector -U_FORTIFY_SOURCE \
	-fno-tree-loop-distribute-patterns -fno-common -I$(BUILD)/obj/names
ifneq (,$(findstring clang,$(notdir $(CC))))
LIBFLAGS := $(filter-out -fno-tree-loop-distribute-patterns,$(LIBFLAGS)) \
	-mllvm -disable-loop-idiom-all
endif

# ---- which sources go where -------------------------------------------------

ARCH := $(shell uname -m)
OTHER_ARCHES := $(filter-out $(ARCH),x86_64 aarch64)
sources = $(filter-out $(foreach a,$(OTHER_ARCHES),%_$(a).c %_$(a).S), \
	$(wildcard $(addsuffix /*.c,$(1)) $(addsuffix /*.S,$(1))))

rooms = $(1) $(wildcard $(1)/*)

SEARCH := src/util src/core $(call rooms,src/explore) src/system/check
COMMAND_SOURCES := $(call sources, $(SEARCH) src/system/model src/report \
	src/host src/cc/driver src/supervise $(call rooms,src/fuzz) src/cli) \
	src/session/collect.c $(wildcard src/session/local_*.c)
RUNTIME_SOURCES := $(call sources, $(SEARCH) $(call rooms,src/system/native)) \
	src/session/collect.c $(wildcard src/session/native_*.c)

COMMAND_OBJECTS := $(patsubst %,$(BUILD)/obj/command/%.o,$(COMMAND_SOURCES))
RUNTIME_OBJECTS := $(patsubst %,$(BUILD)/obj/runtime/%.o,$(RUNTIME_SOURCES))

REAL_SOURCES := $(call sources, src/real)
REAL_OBJECTS := $(patsubst %,$(BUILD)/obj/real/%.o,$(REAL_SOURCES))

COMMAND_LIBS = -ldw -lelf -ldl
RUNTIME = $(BUILD)/lib/libheddle.a
ACTORS = $(BUILD)/lib/libheddle_actor.a
REAL = $(BUILD)/lib/libheddle_real.a
HEDDLE = $(BUILD)/heddle

# An instrumenter for each LLVM that is installed: LLVM = 14 19 ...
LLVM := $(sort $(patsubst /usr/lib/llvm-%/include/llvm-c/Core.h,%, \
	$(wildcard /usr/lib/llvm-*/include/llvm-c/Core.h)))
INSTRUMENTERS := $(LLVM:%=$(BUILD)/lib/instrument-%.so)
# Many machines, if Open MPI is installed.
MPICC := $(shell command -v mpicc)
CLUSTER := $(if $(MPICC),$(BUILD)/lib/mpi.so)
INSTRUMENTER_SOURCES := $(call sources, src/cc/instrument) $(addprefix src/util/, vec.c table.c ensure.c)
llvm_config = /usr/lib/llvm-$(1)/bin/llvm-config

# ---- building ---------------------------------------------------------------

.PHONY: all sources setup demo test test-hard fuzz realworld bench bench-full install uninstall \
	manual examples clean format check-format
.DELETE_ON_ERROR:

all: $(HEDDLE) $(BUILD)/heddle-cc $(RUNTIME) $(ACTORS) $(REAL) $(INSTRUMENTERS) $(CLUSTER)

# For tests that build the sources in a way of their own.
sources:
	@echo $(COMMAND_SOURCES) $(wildcard src/cc/instrument/asm_*.c)

$(HEDDLE): $(COMMAND_OBJECTS) $(BUILD)/include
	$(call say,link $@)
	$(Q)$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $(COMMAND_OBJECTS) $(COMMAND_LIBS)

# The same command, for scripts that take a compiler of one word only.
$(BUILD)/heddle-cc: $(HEDDLE)
	@ln -sf $(notdir $(HEDDLE)) $@

# The command looks for the header beside itself.
$(BUILD)/include:
	@mkdir -p $(BUILD)
	@ln -sfn $(CURDIR)/include $@

$(BUILD)/obj/command/%.c.o: %.c
	@mkdir -p $(@D)
	$(call say,cc $<)
	$(Q)$(COMPILE) -c -o $@ $<

# Objects that take in other files: see src/util/embed.h.
$(BUILD)/obj/command/src/report/page_files.c.o: $(wildcard src/report/page/*)
$(BUILD)/obj/command/src/cli/debugger.c.o: src/cli/debugger.py

REAL_MAP = src/system/native/base/real.map
MERGE = src/system/native/engine/merge.ld

$(BUILD)/obj/runtime/%.o: % $(REAL_MAP) scripts/redirect
	@mkdir -p $(@D)
	$(call say,cc $< (runtime))
	$(Q)$(COMPILE) $(LIBFLAGS) -c -o $@ $<
	@OBJCOPY=$(OBJCOPY) scripts/redirect $(REAL_MAP) $@

# The names of system calls, for messages.
SYSCALL_NAMES = $(BUILD)/obj/names/syscall_names.h
$(SYSCALL_NAMES):
	@mkdir -p $(@D)
	$(Q)echo '#include <sys/syscall.h>' | $(CC) -E -dM - | sed -n \
		's/^#define SYS_\([a-z0-9_]*\) .*/NAME(\1)/p' | sort >$@
$(BUILD)/obj/runtime/src/system/native/syscalls/syscall.c.o: $(SYSCALL_NAMES)

# One object, whose writable data lies apart from the program's and whose inner
# names are local.
$(BUILD)/lib/heddle.o: $(RUNTIME_OBJECTS) $(MERGE) scripts/bind-libc \
		scripts/interpose
	@mkdir -p $(@D)
	$(call say,merge $@)
	$(Q)$(LD) -r -T $(MERGE) -o $@ $(RUNTIME_OBJECTS)
	$(Q)CC=$(CC) OBJCOPY=$(OBJCOPY) LD=$(LD) scripts/interpose $@
	$(Q)$(OBJCOPY) --localize-hidden $@
	$(Q)CC=$(CC) OBJCOPY=$(OBJCOPY) scripts/bind-libc $@

# What actors do in a program that is not checked, under names of its own.
$(BUILD)/lib/heddle_plain_actor.o: $(BUILD)/lib/heddle_actor.o
	$(Q)nm --defined-only --format=posix $< | \
		sed -n 's/^heddle_\([a-z_]*\) T.*/heddle_\1 heddle_plain_\1/p' >$@.map
	$(Q)$(OBJCOPY) --strip-debug --redefine-syms=$@.map $< $@
	@rm -f $@.map

# Every program is linked with it: debug information of the runtime, which is
# most of the object, would make that slower.  heddle.o keeps it.
$(RUNTIME): $(BUILD)/lib/heddle.o $(BUILD)/lib/heddle_plain_actor.o \
		scripts/check-symbols
	$(Q)scripts/check-symbols $< $(RUNTIME_OBJECTS)
	@rm -rf $@ $(BUILD)/lib/plain
	@mkdir $(BUILD)/lib/plain
	$(Q)$(OBJCOPY) --strip-debug $< $(BUILD)/lib/plain/heddle.o
	$(Q)$(AR) rcsD $@ $(BUILD)/lib/plain/heddle.o \
		$(BUILD)/lib/heddle_plain_actor.o
	@rm -r $(BUILD)/lib/plain

# LLVM's symbols are bound when they are first used: there are thousands.
define instrumenter_rules
$(BUILD)/obj/instrument-$(1)/%.o: %
	@mkdir -p $$(@D)
	$$(call say,cc $$< (LLVM $(1)))
	$$(Q)$$(COMPILE) -fPIC -fvisibility=hidden -isystem \
		$$(shell $$(call llvm_config,$(1)) --includedir) -c -o $$@ $$<

$(BUILD)/lib/instrument-$(1).so: \
		$$(INSTRUMENTER_SOURCES:%=$(BUILD)/obj/instrument-$(1)/%.o)
	@mkdir -p $$(@D)
	$$(call say,link $$@)
	$$(Q)$$(CC) $$(CFLAGS) $$(LDFLAGS) -shared -Wl,-z,lazy -o $$@ $$^ \
		$$(shell $$(call llvm_config,$(1)) --ldflags --libs)

-include $$(INSTRUMENTER_SOURCES:%=$(BUILD)/obj/instrument-$(1)/%.d)
endef
$(foreach version,$(LLVM),$(eval $(call instrumenter_rules,$(version))))

# Loaded only where mpirun has started the command.
$(BUILD)/lib/mpi.so: src/mpi/mpi_transport.c src/supervise/cluster.h
	@mkdir -p $(@D)
	$(call say,link $@)
	$(Q)$(CC) -std=gnu11 $(WARNINGS) $(CFLAGS) $(LDFLAGS) -Isrc -shared -fPIC \
		$(patsubst -I%,-isystem %,$(shell $(MPICC) --showme:compile)) \
		-o $@ $< $(shell $(MPICC) --showme:link)

# Actors without heddle: an ordinary library.
$(BUILD)/lib/heddle_actor.o: src/actor/heddle_actor.c
	@mkdir -p $(@D)
	$(call say,cc $<)
	$(Q)$(COMPILE) -fPIC -c -o $@ $<

$(ACTORS): $(BUILD)/lib/heddle_actor.o
	@rm -f $@
	$(Q)$(AR) rcsD $@ $<

# For programs that heddle judge runs on real threads: an object for each
# purpose.  What is called between any two instructions keeps the vector
# registers.
$(BUILD)/obj/real/%.o: %
	@mkdir -p $(@D)
	$(call say,cc $< (real))
	$(Q)$(COMPILE) -fPIE -ftls-model=local-exec -c -o $@ $<

$(BUILD)/obj/real/src/real/delay.c.o: CFLAGS += -mgeneral-regs-only

$(REAL): $(REAL_OBJECTS)
	@rm -f $@
	$(Q)$(AR) rcsD $@ $(REAL_OBJECTS)

-include $(COMMAND_OBJECTS:.o=.d) $(RUNTIME_OBJECTS:.o=.d) \
	$(REAL_OBJECTS:.o=.d) $(BUILD)/lib/heddle_actor.d

# ---- using ------------------------------------------------------------------

setup:
	@scripts/setup

# What setup installs is needed to build: hence a second make, not a
# prerequisite.  Exit code 1 of the command means that an error was found, which
# is what the example is for.
demo: setup
	@$(MAKE) --no-print-directory all
	$(HEDDLE) check $(DEMO) || [ $$? = 1 ]

test: setup
	@$(MAKE) --no-print-directory all
	@BUILD=$(abspath $(BUILD)) HEDDLE=$(abspath $(HEDDLE)) tests/run

test-hard: setup
	@BUILD=$(abspath $(BUILD)) tests/hard.sh

fuzz: all
	$(HEDDLE) fuzz

# What the documents say that heddle prints.
EXAMPLES = $(shell grep -l '^    \$$ heddle check ' README.md docs/*.md)
examples: $(HEDDLE)
	for file in $(EXAMPLES); do \
	  HEDDLE=$(HEDDLE) scripts/doc-examples $$file >$(BUILD)/example && \
	  cp $(BUILD)/example $$file || exit 1; \
	done

# The tables of the manual that are also in the code.
manual: $(HEDDLE)
	scripts/manual-algorithms man/heddle.1 >$(BUILD)/heddle.1
	HEDDLE=$(HEDDLE) scripts/manual-options $(BUILD)/heddle.1 >$(BUILD)/heddle.2
	cp $(BUILD)/heddle.2 man/heddle.1

# Debian packages under heddle: fetches their sources, so it needs a network.
realworld: all
	@BUILD=$(abspath $(BUILD)) realworld/run

bench: all
	@HEDDLE=$(abspath $(HEDDLE)) bench/run

bench-full: all
	@HEDDLE=$(abspath $(HEDDLE)) bench/run --full

INSTALLED = bin/heddle bin/heddle-cc lib/heddle/libheddle.a lib/heddle/libheddle_real.a \
	lib/libheddle_actor.a include/heddle.h include/heddle_actor.h \
	share/man/man1/heddle.1 share/man/man1/heddle-cc.1 \
	$(patsubst $(BUILD)/lib/%,lib/heddle/%,$(INSTRUMENTERS) $(CLUSTER))

install: all
	install -D -m 755 $(HEDDLE) $(DESTDIR)$(PREFIX)/bin/heddle
	ln -sf heddle $(DESTDIR)$(PREFIX)/bin/heddle-cc
	install -D -m 644 $(RUNTIME) $(DESTDIR)$(PREFIX)/lib/heddle/libheddle.a
	install -D -m 644 -t $(DESTDIR)$(PREFIX)/lib/heddle $(INSTRUMENTERS) $(CLUSTER)
	install -D -m 644 $(REAL) $(DESTDIR)$(PREFIX)/lib/heddle/libheddle_real.a
	install -D -m 644 $(ACTORS) $(DESTDIR)$(PREFIX)/lib/libheddle_actor.a
	install -D -m 644 include/heddle.h $(DESTDIR)$(PREFIX)/include/heddle.h
	install -D -m 644 include/heddle_actor.h \
		$(DESTDIR)$(PREFIX)/include/heddle_actor.h
	install -D -m 644 man/heddle.1 $(DESTDIR)$(PREFIX)/share/man/man1/heddle.1
	ln -sf heddle.1 $(DESTDIR)$(PREFIX)/share/man/man1/heddle-cc.1

uninstall:
	rm -f $(addprefix $(DESTDIR)$(PREFIX)/,$(INSTALLED))
	[ ! -d $(DESTDIR)$(PREFIX)/lib/heddle ] || \
		rmdir --ignore-fail-on-non-empty $(DESTDIR)$(PREFIX)/lib/heddle

clean:
	rm -rf $(BUILD)

FORMATTED = $(shell find src include -name '*.[ch]')
format:
	clang-format -i $(FORMATTED)

# clang-format would break lists in comments where a line is too long, so it
# leaves comments alone, and their width is checked here.
check-format:
	@clang-format --dry-run --Werror $(FORMATTED)
	@! LC_ALL=C.UTF-8 grep -nE '^.{81,}' $(FORMATTED)
