/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Times copies natively, ours beside others in the same run.  Sizes and alignments change from call to call;
 * rounds of all peers are interleaved, and medians over the rounds are shown, so that a slow moment of the
 * host meets everybody.
 */
#include "bench.h"
#include "mixes.h"

#include <fnmatch.h>
#include <getopt.h>
#include <math.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

enum { BUFFER = 4 << 20, MOST_CALLS = 4096, MOST_ROUNDS = 1001, MOST_PEERS = 64, MOST_WORKS = 32 };

static const unsigned fixed[] = {16, 32, 64, 100, 128, 256, 512, 1024, 4096, 16384, 65536, 262144, 1048576};

static struct {
	const char *peer, *work;
	unsigned rounds;
	uint64_t seed;
	double require;
	bool aligned;
} options = {
	"*", "*", 31, 1, 0, false,
};
static uint64_t state;

static unsigned random_below(unsigned limit)
{
	state = state * 6364136223846793005 + 1442695040888963407;
	return (unsigned)((state >> 33) % limit);
}

static unsigned random_size(unsigned which)
{
	unsigned at = random_below(1000), i = 0, low, high;

	while (at >= mix[which].line[i].permille)
		at -= mix[which].line[i++].permille;
	low = mix[which].line[i].low;
	high = mix[which].line[i].high;
	return low + random_below(high - low + 1);
}

/* size below MIXES: sizes of that mix.  Small copies stay in the first cache, large ones go where they must. */
static void batch_make(struct batch *b, unsigned size)
{
	unsigned most = size < MIXES ? 4096 : size, room = 16384;

	while (room < 2 * most)
		room *= 2;
	b->ncalls = size > 1024 ? (1 << 20) / size + 1 : size < MIXES ? MOST_CALLS : 1024;
	for (size_t i = 0; i < b->ncalls; i++) {
		struct call *c = &b->calls[i];

		c->n = size < MIXES ? random_size(size) : size;
		c->dst = random_below(room - most);
		c->src = random_below(room - most);
		if (options.aligned) {
			c->dst &= ~15u;
			c->src &= ~15u;
		}
	}
}

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC_RAW, &t);
	return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return x < y ? -1 : x > y;
}

static bool chosen(size_t i, enum family family)
{
	return peers[i].family == family && (!peers[i].ours || !fnmatch(options.peer, peers[i].name, 0));
}

/* Nanoseconds a call, the median of all rounds, for each peer of the family. */
static void measure(struct batch *b, unsigned size, enum family family, double *ret_ns)
{
	static double times[MOST_PEERS][MOST_ROUNDS];

	for (unsigned round = 0; round <= options.rounds; round++) {
		/* other calls each round: nothing is to be learnt by a branch predictor */
		batch_make(b, size);
		for (size_t k = 0; k < npeers; k++) {
			size_t i = (k + round) % npeers;

			if (!chosen(i, family))
				continue;
			double from = now();

			peers[i].run(b);
			if (round) /* the first one warms up */
				times[i][round - 1] = (now() - from) / (double)b->ncalls;
		}
	}
	for (size_t i = 0; i < npeers; i++)
		if (chosen(i, family)) {
			qsort(times[i], options.rounds, sizeof(double), by_value);
			ret_ns[i] = times[i][options.rounds / 2];
		}
}

struct table {
	double ns[MOST_WORKS][MOST_PEERS];
	char name[MOST_WORKS][16];
	size_t nworks;
};

static void table_make(struct table *t, struct batch *b, enum family family)
{
	for (size_t w = 0; w < MIXES + sizeof(fixed) / sizeof(fixed[0]); w++) {
		unsigned size = w < MIXES ? (unsigned)w : fixed[w - MIXES];
		char *name = t->name[t->nworks];

		if (w < MIXES)
			snprintf(name, sizeof(t->name[0]), "%s", mix[w].name);
		else
			snprintf(name, sizeof(t->name[0]), "%u", size);
		if (fnmatch(options.work, name, 0))
			continue;
		state = options.seed + w;
		measure(b, size, family, t->ns[t->nworks++]);
	}
}

static void print_row(const struct table *t, const char *label, size_t peer, size_t against)
{
	double sum = 0;

	printf("  %-36s", label);
	for (size_t w = 0; w < t->nworks; w++) {
		double value = t->ns[w][peer];

		if (against != npeers)
			value /= t->ns[w][against];
		sum += log(value);
		printf(against != npeers ? "%9.2f" : value < 1000 ? "%9.2f" : "%9.0f", value);
	}
	if (against != npeers)
		printf("   mean %.3f", exp(sum / (double)t->nworks));
	putchar('\n');
}

/* Does a routine of ours reach the wanted mean against the best of the stock ones at each size? */
static bool print_best(const struct table *t, enum family family, size_t ours)
{
	double sum = 0;
	bool any = false;

	for (size_t w = 0; w < t->nworks; w++) {
		double best = INFINITY;

		for (size_t i = 0; i < npeers; i++)
			if (chosen(i, family) && !strncmp(peers[i].name, "stock", 5) && t->ns[w][i] < best)
				best = t->ns[w][i];
		any |= best < INFINITY;
		sum += log(t->ns[w][ours] / best);
	}
	if (!any)
		return options.require <= 0;
	double mean = exp(sum / (double)t->nworks);

	printf("  %s over the best stock one of each size: mean %.3f\n", peers[ours].name, mean);
	return options.require <= 0 || mean <= options.require;
}

static bool family_run(struct batch *b, enum family family)
{
	static const char *const names[] = {"copies", "copies past the cache", "fills"};
	static struct table t;
	bool good = true, any = false;

	for (size_t i = 0; i < npeers; i++)
		any |= chosen(i, family) && peers[i].ours;
	if (!any)
		return true;
	t.nworks = 0;
	table_make(&t, b, family);
	printf("%s, ns a call, medians of %u rounds\n  %-36s", names[family], options.rounds, "");
	for (size_t w = 0; w < t.nworks; w++)
		printf("%9s", t.name[w]);
	putchar('\n');
	for (size_t i = 0; i < npeers; i++)
		if (chosen(i, family))
			print_row(&t, peers[i].name, i, npeers);
	for (size_t i = 0; i < npeers; i++) {
		if (!chosen(i, family) || !peers[i].ours)
			continue;
		for (size_t k = 0; k < npeers; k++)
			if (chosen(k, family) && !peers[k].ours) {
				char label[64];

				snprintf(label, sizeof(label), "%.22s / %s", peers[i].name, peers[k].name);
				print_row(&t, label, i, k);
			}
		good &= print_best(&t, family, i);
	}
	return good;
}

static void stay_here(void)
{
	cpu_set_t set;
	int cpu = sched_getcpu();

	CPU_ZERO(&set);
	if (cpu >= 0) {
		CPU_SET((size_t)cpu, &set);
		sched_setaffinity(0, sizeof(set), &set);
	}
}

static void parse(int argc, char **argv)
{
	static const struct option known[] = {
		{"routine", required_argument, NULL, 'p'}, {"size", required_argument, NULL, 'w'},
		{"rounds", required_argument, NULL, 'r'},  {"seed", required_argument, NULL, 's'},
		{"require", required_argument, NULL, 'R'}, {"aligned", no_argument, NULL, 'a'},
		{"list", no_argument, NULL, 'l'},	   {NULL, 0, NULL, 0},
	};

	for (int c; (c = getopt_long(argc, argv, "", known, NULL)) != -1;)
		switch (c) {
		case 'p':
			options.peer = optarg;
			break;
		case 'w':
			options.work = optarg;
			break;
		case 'r':
			options.rounds = (unsigned)strtoul(optarg, NULL, 0);
			break;
		case 's':
			options.seed = strtoull(optarg, NULL, 0);
			break;
		case 'R':
			options.require = strtod(optarg, NULL);
			break;
		case 'a':
			options.aligned = true;
			break;
		case 'l':
			for (size_t i = 0; i < npeers; i++)
				puts(peers[i].name);
			exit(0);
		default:
			fputs("usage: bench [--routine GLOB] [--size GLOB] [--rounds N] [--seed N] "
			      "[--aligned] [--list]\n"
			      "             [--require MEAN]\n",
			      stderr);
			exit(2);
		}
	if (!options.rounds || options.rounds > MOST_ROUNDS || npeers > MOST_PEERS)
		exit(2);
}

int main(int argc, char **argv)
{
	static struct call calls[MOST_CALLS];
	int prot = PROT_READ | PROT_WRITE, flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE;
	struct batch b = {.calls = calls};
	unsigned char *src = mmap(NULL, BUFFER, prot, flags, -1, 0);
	bool good = true;

	parse(argc, argv);
	b.dst = mmap(NULL, BUFFER, prot, flags, -1, 0);
	if (b.dst == MAP_FAILED || src == MAP_FAILED)
		return 3;
	memset(src, 0x5a, BUFFER);
	b.src = src;
	stay_here();
	for (enum family family = 0; family < FAMILIES; family++)
		good &= family_run(&b, family);
	return fflush(stdout) || !good;
}
