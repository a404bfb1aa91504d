/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Memory accesses as the engine's parts see them. */
#ifndef UCOPY_ACCESS_H
#define UCOPY_ACCESS_H

#include "engine.h"

#define ACCESSES_MAX 64

/* One load or store of a step. */
struct access_at {
	const struct expr *mem;
	const struct expr *value;	/* stored; NULL for a load */
	enum side side;
	struct form address, at, len;	/* at: from the side's start */
	int64_t size;			/* len, when constant; else -1 */
};

struct accesses {
	int n;
	bool store;
	struct access_at v[ACCESSES_MAX];
};

/* Accesses that lie side by side fault, and are stored, as one. */
struct span {
	const struct access_at *first;
	int n;
	enum side side;
	struct form address, at, len;
	int64_t size;
};

static inline bool form_at_least(const struct astate *s, struct form f, int64_t k)
{
	f = form_plus(f, -k);
	return dstate_ge0(s->d, &f);
}

/* a <= b? */
static inline bool form_at_most(const struct astate *s, struct form a, struct form b)
{
	return form_at_least(s, form_add(b, a, -1), 0);
}

static inline struct form end_of(const struct form *at, const struct form *len)
{
	return form_add(*at, *len, 1);
}

static inline const struct pattern *pattern_at(const struct engine *e, int line)
{
	return e->p->insns[e->cfg->line[line].insn].pattern;
}

/* access.c */
void accesses_find(struct engine *e, struct astate *s, const struct step *step, bool stores,
		   struct accesses *list);
int accesses_join(const struct accesses *list, struct span *ret);
/* Does one of its accesses need a fence before control leaves? */
bool span_streams(const struct span *sp);
bool accesses_user(const struct engine *e, const struct accesses *list);
/* Alignment that is known of an address: 2^k. */
int known_alignment(const struct astate *s, const struct form *address);
bool in_buffer(const struct astate *s, const struct form *at, const struct form *len);
/* A word that is aligned and holds at least one byte of the buffer. */
bool in_word(const struct engine *e, const struct astate *s, const struct access_at *a);
void check_forms(struct engine *e, const struct astate *s, int line, const struct accesses *list);
void check_range(struct engine *e, const struct astate *s, int line, const struct span *sp, bool store);

/* memory.c: right data is stored there, without a fault.  False: it can't be. */
bool store_data(struct engine *e, struct astate *s, int line, const struct span *sp);

/* fault.c */
/* What was inaccessible may have become accessible. */
void fault_age(struct engine *e, struct astate *s);
/* May what the line stores be stored in part when it faults? */
bool may_tear(const struct engine *e, int line);
/* The edge from a span's access, the k-th of its line, to the fixup. */
void fault_edge(struct engine *e, const struct astate *s, int line, int k, const struct span *sp, bool store);

#endif
