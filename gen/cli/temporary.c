/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "temporary.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <talloc.h>

struct temporary {
	char *name;
	struct temporary *volatile next;
};

/* A signal may come between any two steps: what hangs here is whole, and comes and goes by one store. */
static struct temporary *volatile first;

static const int ends[] = { SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGXCPU };

static void signal_set(sigset_t *ret)
{
	sigemptyset(ret);
	for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
		sigaddset(ret, ends[i]);
}

void temporaries_drop(void)
{
	for (const struct temporary *t = first; t; t = t->next)
		unlink(t->name);
}

/* It ends the program once it comes again, which it does behind the handler. */
static void on_signal(int number)
{
	temporaries_drop();
	raise(number);
}

void temporaries_guard(void)
{
	struct sigaction on = { .sa_handler = on_signal, .sa_flags = (int)SA_RESETHAND };

	signal_set(&on.sa_mask);
	for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
		struct sigaction before;

		/* what was ignored when the program was started (nohup) stays so */
		if (sigaction(ends[i], NULL, &before) == 0 && before.sa_handler == SIG_DFL)
			sigaction(ends[i], &on, NULL);
	}
	signal(SIGPIPE, SIG_IGN);
	signal(SIGXFSZ, SIG_IGN);
}

void signals_hold(sigset_t *ret_before)
{
	sigset_t set;

	signal_set(&set);
	pthread_sigmask(SIG_BLOCK, &set, ret_before);
}

void signals_release(const sigset_t *before)
{
	pthread_sigmask(SIG_SETMASK, before, NULL);
}

static void take_out(const struct temporary *t)
{
	struct temporary *volatile *at = &first;

	while (*at != t)
		at = &(*at)->next;
	*at = t->next;
}

static int drop(struct temporary *t)
{
	unlink(t->name);
	take_out(t);
	return 0;
}

struct temporary *temporary_new(void *ctx, const char *path, int *ret_fd)
{
	struct temporary *t = talloc_zero(ctx, struct temporary);
	sigset_t before;

	t->name = talloc_asprintf(t, "%s.XXXXXX", path);
	signals_hold(&before);
	*ret_fd = mkstemp(t->name);
	if (*ret_fd >= 0) {
		t->next = first;
		first = t;
		talloc_set_destructor(t, drop);
	}
	signals_release(&before);
	if (*ret_fd >= 0)
		return t;
	talloc_free(t);
	return NULL;
}

bool temporary_rename(struct temporary *t, const char *path)
{
	if (rename(t->name, path) != 0)
		return false;
	take_out(t);
	talloc_set_destructor(t, NULL);
	return true;
}
