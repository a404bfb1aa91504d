/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "workers.h"

#include <pthread.h>
#include <sched.h>
#include <unistd.h>

#include <talloc.h>

#define WORKERS_MAX 16
#define STACK (8u * 1024 * 1024)	/* bytes: what a process has, whatever the library gives a thread */

struct work {
	struct run *run;
	compile_fn *fn;
	pthread_mutex_t lock;		/* of next, and of what run_progress keeps */
	size_t next;
};

static struct unit *take(struct work *w)
{
	struct unit *u = NULL;

	pthread_mutex_lock(&w->lock);
	if (w->next < w->run->nunits) {
		u = &w->run->units[w->next++];
		run_progress(w->run, u);
	}
	pthread_mutex_unlock(&w->lock);
	return u;
}

static void *work(void *arg)
{
	struct work *w = arg;
	struct unit *u;

	while ((u = take(w)))
		w->fn(w->run->options, u);
	return NULL;
}

/* Threads beside this one; fewer where the system gives no more. */
static unsigned start(struct work *w, pthread_t *threads, unsigned n)
{
	pthread_attr_t attr;
	unsigned k = 0;

	if (pthread_attr_init(&attr))
		return 0;
	if (!pthread_attr_setstacksize(&attr, STACK))
		while (k < n && !pthread_create(&threads[k], &attr, work, w))
			k++;
	pthread_attr_destroy(&attr);
	return k;
}

/* Those this process may run on, which in a container or under a mask are fewer than there are. */
static long processors(void)
{
#ifdef CPU_COUNT
	cpu_set_t set;

	if (sched_getaffinity(0, sizeof set, &set) == 0)
		return CPU_COUNT(&set);
#endif
	return sysconf(_SC_NPROCESSORS_ONLN);
}

static unsigned helpers(const struct run *run)
{
	long n = processors();

	n = n < WORKERS_MAX ? n : WORKERS_MAX;
	n = n < (long)run->nunits ? n : (long)run->nunits;
	return n > 1 ? (unsigned)n - 1 : 0;
}

void run_compile(struct run *run, compile_fn *fn)
{
	struct work w = { .run = run, .fn = fn, .lock = PTHREAD_MUTEX_INITIALIZER };
	pthread_t threads[WORKERS_MAX];
	unsigned n;

	for (size_t i = 0; i < run->nunits; i++) {
		struct unit *u = &run->units[i];

		/* A hierarchy of its own: talloc takes no locks. */
		u->ctx = talloc_new(NULL);
		u->diag = diag_new(u->ctx, 0);
		diag_about(u->diag, u->routine);
	}
	n = start(&w, threads, helpers(run));
	work(&w);
	for (unsigned k = 0; k < n; k++)
		pthread_join(threads[k], NULL);
	run_progress_end(run);
	for (size_t i = 0; i < run->nunits; i++)
		talloc_steal(run, run->units[i].ctx);
}
