/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Files under temporary names, of which none stays behind however the program ends, unless it is killed outright. */
#ifndef UCOPY_TEMPORARY_H
#define UCOPY_TEMPORARY_H

#include <signal.h>
#include <stdbool.h>
#include <sys/types.h>

struct temporary;

/* From here on a signal that ends the program takes the temporary files with it, and a write that would is an error. */
void temporaries_guard(void);
/* Unlinks all there are.  May be called from wherever, by a signal's handler too, when nothing goes on behind it. */
void temporaries_drop(void);

/* A group of processes that works on them is ended first; 0: there is none any more. */
void temporaries_child(pid_t pid);

/* A new folder, in TMPDIR or /tmp.  It vanishes with the context, when all that is in it has.  NULL: errno says why. */
struct temporary *temporary_folder(void *ctx);
/* A name in it for whoever makes a file: it vanishes with the context, which must go before the folder's. */
struct temporary *temporary_inside(void *ctx, const struct temporary *folder, const char *name);
/* With its folder. */
const char *temporary_name(const struct temporary *t);

/* Makes a new file beside path; it vanishes with the context.  NULL: errno says why. */
struct temporary *temporary_new(void *ctx, const char *path, int *ret_fd);
/* Gives it the name it was made for.  False: errno says why. */
bool temporary_rename(struct temporary *t, const char *path);

/* Between these no signal ends the program: what belongs together is done as a whole. */
void signals_hold(sigset_t *ret_before);
void signals_release(const sigset_t *before);

#endif
