/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Frames: which registers they save, and that their texts do.  The proof takes what a frame saves as saved, and the
 * texts are all that does it.
 */
#include "resolve_priv.h"

#include <ctype.h>

/* What the nearest layer says, alone or with its `stack`. */
static const struct text_at *saved_text(struct resolver *r)
{
	const struct text_at *found = NULL;

	for (size_t i = 0; i < r->nlayers && !found; i++)
		for (size_t k = 0; k < r->layers[i]->nfacts; k++) {
			const struct spec_fact *f = &r->layers[i]->facts[k];

			if (f->kind != FACT_SAVED && f->kind != FACT_STACK)
				continue;
			if (found) {
				fail(r, DIAG_TWICE, f->place, "`%s` is given twice", fact_names[FACT_SAVED]);
				note(r, found->place, "it is given here already");
			}
			found = f->kind == FACT_STACK ? &f->saved : &f->texts.v[0];
		}
	return found;
}

static void check_kept(struct resolver *r, const struct text_at *saved)
{
	const struct machine *m = r->m;

	for (size_t i = 0; i < m->nsaved; i++)
		if (!regset_has(&m->kept, m->saved[i]))
			fail(r, DIAG_SAVED, saved->place,
			     "register `%s` is saved, but is not in `%s`: nobody asks for it back",
			     m->regs[m->saved[i]].name, fact_names[FACT_KEEP]);
}

/* Does a line of the texts stand for this register?  reg < 0: for any. */
static bool names_register(const struct machine *m, const struct texts *t, int reg)
{
	for (size_t i = 0; i < t->n; i++)
		for (size_t k = 0; k < t->v[i].nparts; k++) {
			const struct text_part *part = &t->v[i].parts[k];

			if (part->literal || (part->operand >= 0 && part->operand != TEXT_REG && part->operand != TEXT_ALL))
				continue;
			/* of a name that isn't known that was said already */
			if (reg < 0 || part->operand < 0 || frame_part_takes(m, part, reg))
				return true;
		}
	return false;
}

/* A register that the texts leave out; -1: they have all. */
static int not_named(const struct machine *m, const struct texts *t)
{
	for (size_t i = 0; i < m->nsaved; i++)
		if (!names_register(m, t, m->saved[i]))
			return m->saved[i];
	return -1;
}

static void check_texts(struct resolver *r, const struct texts *t, const char *which, struct place stack)
{
	struct place at = t->n ? t->v[0].place : stack;
	int reg = not_named(r->m, t);

	if (!names_register(r->m, t, -1))
		fail(r, DIAG_LACKS, at, "`%s` has neither {reg} nor {all}", which);
	else if (reg >= 0)
		fail(r, DIAG_LACKS, at, "`%s` has no {reg} for `%s`, which is saved", which, r->m->regs[reg].name);
}

static void check_stack(struct resolver *r, const struct text_at *saved)
{
	const struct spec_fact *stack = find_fact(r, FACT_STACK);
	const struct texts *texts[] = {&r->m->stack_enter, &r->m->stack_leave, &r->m->call_enter, &r->m->call_leave};
	static const char *const which[] = {"stack enter", "stack leave", "stack call enter", "stack call leave"};
	int n = find_fact(r, FACT_STACK_CALL) ? 4 : 2;

	if (!stack)
		fail(r, DIAG_FACT, saved->place, "registers are saved, but no `%s` says how", fact_names[FACT_STACK]);
	for (int i = 0; stack && i < n; i++)
		check_texts(r, texts[i], which[i], stack->place);
}

void resolve_frame(struct resolver *r)
{
	const struct text_at *saved = saved_text(r);

	if (!saved)
		return;
	r->m->saved = register_list(r, saved, &r->m->nsaved);
	check_kept(r, saved);
	check_not_zero(r, r->m->saved, r->m->nsaved, saved->place, FACT_SAVED);
	check_stack(r, saved);
}

static bool is_word(char ch)
{
	return isalnum((unsigned char)ch) || ch == '_' || ch == '%' || ch == '$';
}

static bool says(const char *text, const char *name)
{
	for (const char *at = text; text && (at = strstr(at, name)); at++)
		if ((at == text || !is_word(at[-1])) && !is_word(at[strlen(name)]))
			return true;
	return false;
}

static bool texts_say(const struct texts *t, const char *name)
{
	for (size_t i = 0; i < t->n; i++)
		for (size_t k = 0; k < t->v[i].nparts; k++)
			if (says(t->v[i].parts[k].literal, name))
				return true;
	return false;
}

/* A call destroys registers that no class has: the frame around it must name them, or nobody brings them back. */
void check_frames(struct resolver *r)
{
	const struct machine *m = r->m;
	const struct texts *enter = m->call_enter.n ? &m->call_enter : &m->stack_enter;
	const struct texts *leave = m->call_enter.n ? &m->call_leave : &m->stack_leave;

	for (size_t i = 0; enter->n && i < r->foreign.n; i++) {
		const struct name_at *name = &r->foreign.v[i];

		if (!texts_say(enter, name->name) || !texts_say(leave, name->name))
			fail(r, DIAG_SAVED, name->place, "register `%s` is destroyed here, but the frame's texts do not save it",
			     name->name);
	}
}
