/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Options, a process for each routine, and the report. */
#include "matrix.h"
#include MACHINE_H

#include <fnmatch.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

static const char usage_text[] =
	"usage: matrix [options]\n"
	"  --routine GLOB       only these routines\n"
	"  --not-maximal GLOB   these needn't copy all that can be copied, only make progress\n"
	"  --quick              a sample of the cases\n"
	"  --seed N             of the sample and of the data (1)\n"
	"  --repeat N           runs, each with the next seed (1)\n"
	"  --n-min N, --n-max N sizes\n"
	"  --jobs N             routines at a time\n"
	"  --coverage           list the table's sites that never faulted\n"
	"  --list               list the routines\n";

static struct options options = {.glob = "*", .seed = 1, .n_max = SIZE_MAX, .repeat = 1};

static void parse(int argc, char **argv)
{
	static const struct option known[] = {
		{"routine", required_argument, NULL, 'r'}, {"not-maximal", required_argument, NULL, 'm'},
		{"quick", no_argument, NULL, 'q'},	   {"seed", required_argument, NULL, 's'},
		{"repeat", required_argument, NULL, 'R'},  {"n-min", required_argument, NULL, 'a'},
		{"n-max", required_argument, NULL, 'b'},   {"jobs", required_argument, NULL, 'j'},
		{"coverage", no_argument, NULL, 'c'},	   {"list", no_argument, NULL, 'l'},
		{"help", no_argument, NULL, 'h'},	   {NULL, 0, NULL, 0},
	};

	for (int c; (c = getopt_long(argc, argv, "", known, NULL)) != -1;)
		switch (c) {
		case 'r':
			options.glob = optarg;
			break;
		case 'm':
			options.not_maximal = optarg;
			break;
		case 'q':
			options.quick = true;
			break;
		case 's':
			options.seed = strtoull(optarg, NULL, 0);
			break;
		case 'R':
			options.repeat = (unsigned)strtoul(optarg, NULL, 0);
			break;
		case 'a':
			options.n_min = strtoul(optarg, NULL, 0);
			break;
		case 'b':
			options.n_max = strtoul(optarg, NULL, 0);
			break;
		case 'j':
			options.jobs = (unsigned)strtoul(optarg, NULL, 0);
			break;
		case 'c':
			options.coverage = true;
			break;
		case 'l':
			options.list = true;
			break;
		case 'h':
			fputs(usage_text, stdout);
			exit(0);
		default:
			fputs(usage_text, stderr);
			exit(2);
		}
	if (optind < argc) {
		fputs(usage_text, stderr);
		exit(2);
	}
	if (!options.jobs) {
		long n = sysconf(_SC_NPROCESSORS_ONLN);

		options.jobs = n > 0 ? (unsigned)n : 1;
	}
}

static bool chosen(struct routine *routine)
{
	if (options.not_maximal && !fnmatch(options.not_maximal, routine->name, 0))
		routine->maximal = false;
	return !fnmatch(options.glob, routine->name, 0);
}

static pid_t start(const struct routine *routine, struct result *result)
{
	fflush(stdout);
	pid_t child = fork();

	if (child)
		return child;
	faults_catch();
	grid_run(routine, &options, result);
	result->done = true;
	_exit(0);
}

static bool report(const struct routine *routine, const struct result *result, int status)
{
	bool good = result->done && !result->wrong && WIFEXITED(status);

	printf("%s %s %s: %lu cases%s", good ? "ok  " : "FAIL", MACHINE_NAME, routine->name, result->cases,
	       routine->maximal ? "" : ", not maximal");
	if (result->wrong)
		printf(", %lu wrong", result->wrong);
	putchar('\n');
	if (result->first[0])
		printf("     first: %s\n", result->first);
	for (size_t v = 0; v < VIOLATIONS; v++)
		if (result->by_violation[v])
			printf("     %lu: %s\n", result->by_violation[v], violation_text[v]);
	if (!result->done)
		printf("     the process was ended by %s %d, at %s\n",
		       WIFEXITED(status) ? "status" : "signal",
		       WIFEXITED(status) ? WEXITSTATUS(status) : WTERMSIG(status), result->current);
	return good;
}

static size_t reap(const pid_t *children, int *status, bool *ended)
{
	int how;
	pid_t child = wait(&how);

	for (size_t i = 0; i < matrix_nroutines; i++)
		if (children[i] == child && child > 0) {
			status[i] = how;
			ended[i] = true;
			return 1;
		}
	return 0;
}

/* Routines run side by side and are reported in order. */
static bool run_all(void)
{
	size_t size = (matrix_nroutines + 1) * sizeof(struct result), next = 0, told = 0, running = 0;
	struct result *results = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	pid_t *children = calloc(matrix_nroutines + 1, sizeof(*children));
	int *status = calloc(matrix_nroutines + 1, sizeof(*status));
	bool *ended = calloc(matrix_nroutines + 1, sizeof(*ended)), good = true, any = false;

	if (results == MAP_FAILED || !children || !status || !ended)
		exit(3);
	while (told < matrix_nroutines) {
		while (next < matrix_nroutines &&
		       (running < options.jobs || !chosen(&matrix_routines[next]))) {
			if (chosen(&matrix_routines[next])) {
				children[next] = start(&matrix_routines[next], &results[next]);
				running++;
			}
			next++;
		}
		if (running)
			running -= reap(children, status, ended);
		for (; told < next && (ended[told] || !children[told]); told++)
			if (children[told]) {
				good &= report(&matrix_routines[told], &results[told], status[told]);
				any = true;
			}
	}
	if (!any)
		printf("FAIL no routine is called '%s'\n", options.glob);
	munmap(results, size);
	free(children);
	free(status);
	free(ended);
	return good && any;
}

int main(int argc, char **argv)
{
	bool good = true;
	size_t sites, hit;

	parse(argc, argv);
	if (options.list) {
		for (size_t i = 0; i < matrix_nroutines; i++)
			puts(matrix_routines[i].name);
		return 0;
	}
	good &= table_check();
	for (unsigned i = 0; i < options.repeat; i++, options.seed++)
		good &= run_all();
	sites = table_site_count(&hit);
	printf("%zu of %zu sites have faulted\n", hit, sites);
	if (options.coverage)
		table_print_missed();
	return fflush(stdout) || !good;
}
