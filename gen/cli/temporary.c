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

/* A folder is there longer than what is in it: of all there are, the newest stands first. */
static void take_away(const struct temporary *t)
{
	if (unlink(t->name) != 0)
		rmdir(t->name);
}

void temporaries_drop(void)
{
	for (const struct temporary *t = first; t; t = t->next)
		take_away(t);
}

static volatile sig_atomic_t child;

void temporaries_child(pid_t pid)
{
	child = (sig_atomic_t)pid;
}

/* It ends the program once it comes again, which it does behind the handler. */
static void on_signal(int number)
{
	if (child > 0)
		kill(-(pid_t)child, SIGTERM);
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
	take_away(t);
	take_out(t);
	return 0;
}

static void put_in(struct temporary *t)
{
	t->next = first;
	first = t;
	talloc_set_destructor(t, drop);
}

/* When it was made: known from here on; else gone. */
static struct temporary *made(struct temporary *t, bool ok)
{
	if (ok) {
		put_in(t);
		return t;
	}
	talloc_free(t);
	return NULL;
}

struct temporary *temporary_new(void *ctx, const char *path, int *ret_fd)
{
	struct temporary *t = talloc_zero(ctx, struct temporary);
	sigset_t before;

	t->name = talloc_asprintf(t, "%s.XXXXXX", path);
	signals_hold(&before);
	*ret_fd = mkstemp(t->name);
	t = made(t, *ret_fd >= 0);
	signals_release(&before);
	return t;
}

struct temporary *temporary_folder(void *ctx)
{
	struct temporary *t = talloc_zero(ctx, struct temporary);
	const char *where = getenv("TMPDIR");
	sigset_t before;

	t->name = talloc_asprintf(t, "%s/ucopy.XXXXXX", where && *where ? where : "/tmp");
	signals_hold(&before);
	t = made(t, mkdtemp(t->name) != NULL);
	signals_release(&before);
	return t;
}

struct temporary *temporary_inside(void *ctx, const struct temporary *folder, const char *name)
{
	struct temporary *t = talloc_zero(ctx, struct temporary);
	sigset_t before;

	t->name = talloc_asprintf(t, "%s/%s", folder->name, name);
	signals_hold(&before);
	put_in(t);
	signals_release(&before);
	return t;
}

const char *temporary_name(const struct temporary *t)
{
	return t->name;
}

bool temporary_rename(struct temporary *t, const char *path)
{
	if (rename(t->name, path) != 0)
		return false;
	take_out(t);
	talloc_set_destructor(t, NULL);
	return true;
}
