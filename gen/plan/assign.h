/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Appends straight-line code to a program: assignments of sums to registers, jumps, the end of a frame. */
#ifndef UCOPY_ASSIGN_H
#define UCOPY_ASSIGN_H

#include "diag.h"
#include "sums.h"

struct emitter {
	void *ctx;
	struct diag *diag;
	struct program *p;
	struct place place, site;	/* what is appended is for; the access it is wanted by */
	bool failed;			/* an error was reported; nothing more is appended */
};

struct assignment {
	int reg;
	struct sum sum;
	bool done;
};

/* All registers get their sums of the old values, as if at once.  scratch: registers that may be overwritten besides. */
void assign_all(struct emitter *em, struct assignment *v, int n, struct regset scratch);

void emit_goto(struct emitter *em, int label);
void emit_leave(struct emitter *em, const struct regset *frame);

/* A new label at the end of the program. */
int emit_label(struct emitter *em);

#endif
