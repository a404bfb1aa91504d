/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "command.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
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

/* Where its files go; what this program ignores, that one need not. */
static int start(pid_t *ret, char *const *argv, const char *out, const char *complaints)
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
	posix_spawnattr_setflags(&attr, POSIX_SPAWN_SETSIGDEF);
	posix_spawnattr_setsigdefault(&attr, &usual);
	wrong = posix_spawnp(ret, argv[0], &files, &attr, argv, environ);
	posix_spawnattr_destroy(&attr);
	posix_spawn_file_actions_destroy(&files);
	return wrong;
}

int command_run(void *ctx, const struct names *args, const char *out, const char *complaints)
{
	char **argv = ARRAY_NEW(ctx, char *, args->n + 1);
	int status;
	pid_t pid;

	for (size_t i = 0; i < args->n; i++)
		argv[i] = talloc_strdup(argv, args->v[i]);
	errno = args->n ? start(&pid, argv, out, complaints) : ENOENT;
	talloc_free(argv);
	if (errno)
		return -1;
	temporaries_child(pid);
	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return -1;
	temporaries_child(0);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
