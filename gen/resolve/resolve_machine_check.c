/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Rules about all patterns of a machine together. */
#include "resolve_priv.h"

/* Registers that a pattern loads or stores; what goes from memory to memory counts as one. */
struct moved { int loads, stores; bool steps_load, steps_store, adds, user, aligned, returns; };

static int list_most(const struct pattern *p, const struct expr *e)
{
	return e && e->op == EX_ELEMENT && e->kid[0]->op == EX_K ? p->operands[e->index].list_max : 1;
}

static bool mem_letter(const struct expr *e, enum access letter)
{
	if (!e)
		return false;
	if (e->op == EX_MEM && e->letter == letter)
		return true;
	for (int i = 0; i < 3; i++)
		if (mem_letter(e->kid[i], letter))
			return true;
	return false;
}

/* a = b + number */
static bool is_add(const struct pattern *p, const struct action *a)
{
	const struct expr *v = a->value;

	return a->kind == ACT_SET && v->op == EX_ADD && v->kid[0]->op == EX_OPERAND &&
	       v->kid[1]->op == EX_OPERAND && p->operands[v->kid[1]->index].kind == OPERAND_IMM;
}

static bool is_writeback(const struct uses *u, uint32_t addresses)
{
	return (u->writes & addresses & u->reads) != 0;
}

static void look_at_action(const struct pattern *p, const struct action *a, uint32_t addresses,
			   struct moved *m, bool *ret_steps)
{
	struct uses u = action_uses(a);

	if (u.stores)
		m->stores += list_most(p, a->value);
	if (u.loads)
		m->loads += list_most(p, a->target);
	*ret_steps = *ret_steps || is_writeback(&u, addresses);
	m->adds = m->adds || (p->nlines == 1 && p->lines[0].step.nacts == 1 && is_add(p, a));
	m->user = m->user || mem_letter(a->target, ACCESS_USER) || mem_letter(a->value, ACCESS_USER);
	m->returns = m->returns || a->kind == ACT_RETURN;
}

static struct moved look_at(const struct pattern *p)
{
	struct moved m = {.aligned = p->aligned > 0};
	uint32_t addresses = 0;
	bool steps = false;

	for (size_t i = 0; i < p->nlines; i++)
		for (size_t k = 0; k < p->lines[i].step.nacts; k++)
			addresses |= action_uses(&p->lines[i].step.acts[k]).addresses;
	for (size_t i = 0; i < p->nlines; i++)
		for (size_t k = 0; k < p->lines[i].step.nacts; k++)
			look_at_action(p, &p->lines[i].step.acts[k], addresses, &m, &steps);
	m.steps_load = steps && m.loads;
	m.steps_store = steps && m.stores;
	return m;
}

static void check_block_word(struct resolver *r, const struct text_at *word, bool load)
{
	int most = 0;
	bool found = false;

	for (size_t i = 0; i < r->m->npatterns; i++) {
		struct moved m = look_at(&r->m->patterns[i]);
		int moved = load ? m.loads : m.stores;

		if (!pattern_begins(&r->m->patterns[i], word->text))
			continue;
		found = true;
		most = moved > most ? moved : most;
	}
	if (!found)
		fail(r, DIAG_BLOCK, word->place, "no pattern's text begins with the word `%s`", word->text);
	else if (most < r->m->block_registers)
		fail(r, DIAG_BLOCK, word->place, "no pattern `%s` %s %d registers", word->text,
		     load ? "loads" : "stores", r->m->block_registers);
}

static void check_block(struct resolver *r)
{
	const struct spec_fact *f = find_fact(r, FACT_BLOCK);

	for (size_t i = 0; f && i < 2 && i < f->texts.n; i++)
		check_block_word(r, &f->texts.v[i], i == 0);
}

static void check_update(struct resolver *r, const struct moved *all)
{
	const struct spec_fact *f = find_fact(r, FACT_UPDATE);

	if (r->m->update != UPDATE_EACH || (all->steps_load && all->steps_store) || all->adds)
		return;
	fail(r, DIAG_UPDATE, f->place,
	     "a pointer that moves at each access needs a load and a store with writeback, or an add of a "
	     "number");
}

static void check_retry(struct resolver *r)
{
	const struct spec_fact *f = find_fact(r, FACT_RETRY);

	if (!f || r->m->target.retry || r->m->fixup == FIXUP_DIRECT || r->m->fixup == FIXUP_LADDER)
		return;
	fail(r, DIAG_VALUE, f->place, "fixups can't copy again here: `fixup` must be `direct` or `ladder`");
	note(r, r->m->fixup_place, "it is said here");
}

void check_machine(struct resolver *r)
{
	struct moved all = {0};
	const struct spec_fact *access = find_fact(r, FACT_ACCESS), *user = find_fact(r, FACT_USER);

	for (size_t i = 0; i < r->m->npatterns; i++) {
		struct moved m = look_at(&r->m->patterns[i]);

		all.steps_load |= m.steps_load;
		all.steps_store |= m.steps_store;
		all.adds |= m.adds;
		all.user |= m.user;
		all.aligned |= m.aligned;
		all.returns |= m.returns;
	}
	check_retry(r);
	if (r->lacks)
		return;
	check_block(r);
	check_update(r, &all);
	if (!all.returns)
		fail(r, DIAG_NO_RETURN, r->spec->name.place, "machine `%s` has no pattern that does `return`",
		     r->m->name);
	if (r->m->target.user_by_user && !all.user)
		fail(r, DIAG_NO_USER, user->place,
		     "`user by user`, but no pattern accesses user memory with U");
	if (r->m->access == ACCESS_MIXED && !all.aligned)
		fail(r, DIAG_MIXED, access->place,
		     "`mixed` takes any address but for patterns marked `aligned`, and there is none");
}
