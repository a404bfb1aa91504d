/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "command.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "array.h"
#include "temporary.h"

extern char **environ;

void command_add(void *ctx, struct names *args, const char *arg)
{
	ARRAY_RESIZE(ctx, args->v, const char *, args->n + 1);
	args->v[args->n++] = arg;
}

void command_words(void *ctx, struct names *args, const char *text)
{
	for (text += strspn(text, COMMAND_BLANKS); *text; text += strspn(text, COMMAND_BLANKS)) {
		size_t n = strcspn(text, COMMAND_BLANKS);

		command_add(ctx, args, talloc_strndup(ctx, text, n));
		text += n;
	}
}

/*
 * Where its files go; what this program ignores or holds back, that one need not.  It is a group of processes with those
 * that it starts: all can be ended.
 */
static int start(pid_t *ret, char *const *argv, const char *out, const char *complaints, const sigset_t *mask)
{
	posix_spawn_file_actions_t files;
	posix_spawnattr_t attr;
	sigset_t usual;
	int wrong;

	sigemptyset(&usual);
	sigaddset(&usual, SIGPIPE);
	sigaddset(&usual, SIGXFSZ);
	posix_spawn_file_actions_init(&files);
	posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
	posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, out, O_WRONLY | O_CREAT | O_TRUNC, 0600);
	posix_spawn_file_actions_addopen(&files, STDERR_FILENO, complaints, O_WRONLY | O_CREAT | O_TRUNC, 0600);
	posix_spawnattr_init(&attr);
	posix_spawnattr_setflags(&attr, POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP);
	posix_spawnattr_setsigdefault(&attr, &usual);
	posix_spawnattr_setsigmask(&attr, mask);
	wrong = posix_spawnp(ret, argv[0], &files, &attr, argv, environ);
	posix_spawnattr_destroy(&attr);
	posix_spawn_file_actions_destroy(&files);
	return wrong;
}

/* Between its start and this nothing may end the program: it would be left alone.  Returns 0, or why it was not run. */
static int start_guarded(pid_t *ret, char *const *argv, const char *out, const char *complaints)
{
	sigset_t before;
	int wrong;

	signals_hold(&before);
	wrong = start(ret, argv, out, complaints, &before);
	if (!wrong)
		temporaries_child(*ret);
	signals_release(&before);
	return wrong;
}

static bool has_ended(pid_t pid)
{
	siginfo_t info = { 0 };

	if (waitid(P_PID, (id_t)pid, &info, WEXITED | WNOHANG | WNOWAIT) != 0)
		return errno != EINTR;
	return info.si_pid == pid;
}

static bool is_within(const char *path, off_t limit)
{
	struct stat st;

	return stat(path, &st) != 0 || st.st_size <= limit;
}

/* Until it ends, or one of its files is too large: whoever never stops printing would never end.  False: one is. */
static bool wait_within(pid_t pid, const char *out, const char *complaints, off_t limit)
{
	struct timespec pause = { 0, 1000000 };

	while (!has_ended(pid) && is_within(out, limit) && is_within(complaints, limit)) {
		nanosleep(&pause, NULL);
		if (pause.tv_nsec < 32000000)
			pause.tv_nsec *= 2;
	}
	return is_within(out, limit) && is_within(complaints, limit);
}

/* All that is left of it is ended.  It is waited for behind that, so that nothing else can have its number. */
static int finish(pid_t pid)
{
	int status, wrong = 0;
	sigset_t before;

	kill(-pid, SIGKILL);
	signals_hold(&before);
	while (!wrong && waitpid(pid, &status, 0) < 0)
		wrong = errno != EINTR;
	temporaries_child(0);
	signals_release(&before);
	if (wrong)
		return -1;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

int command_run(void *ctx, const struct names *args, const char *out, const char *complaints, off_t limit)
{
	char **argv = ARRAY_NEW(ctx, char *, args->n + 1);
	bool within;
	int status;
	pid_t pid;

	for (size_t i = 0; i < args->n; i++)
		argv[i] = talloc_strdup(argv, args->v[i]);
	errno = args->n ? start_guarded(&pid, argv, out, complaints) : ENOENT;
	talloc_free(argv);
	if (errno)
		return -1;
	within = wait_within(pid, out, complaints, limit);
	status = finish(pid);
	return within ? status : COMMAND_SAID_TOO_MUCH;
}
