/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Functions of the kernel that routines call: how a target calls those that templates declare. */
#include "resolve_priv.h"

static bool is_declared(struct resolver *r, const struct name_at *name)
{
	const struct templates *t = &r->tree->templates;
	struct near near = {0};

	for (size_t i = 0; i < t->nhooks; i++) {
		if (strcmp(t->hooks[i].name, name->name) == 0)
			return true;
		near_add(r, &near, t->hooks[i].name);
	}
	fail_unknown(r, DIAG_NO_HOOK, name->place, "there is no hook", name->name, near);
	return false;
}

/* A call of it must get where its text says, and to nothing that is there by that name for another reason. */
static void check_symbol_differs(struct resolver *r, const struct text_at *symbol)
{
	const struct target *t = &r->m->target;
	const struct spec_fact *emit = find_fact(r, FACT_EMIT);

	for (size_t i = 0; i < t->nemit; i++) {
		if (strcmp(target_symbol(r->ctx, r->m, t->emit[i]), symbol->text) != 0)
			continue;
		fail(r, DIAG_SAME_SYMBOL, symbol->place, "`%s` is what routine `%s` is named", symbol->text, t->emit[i]);
		note(r, emit->names.v[i].place, "it is emitted here");
	}
	for (size_t i = 0; i < t->nhooks; i++)
		if (strcmp(t->hooks[i].symbol, symbol->text) == 0)
			fail(r, DIAG_SAME_SYMBOL, symbol->place, "`%s` is what hook `%s` is named", symbol->text,
			     t->hooks[i].name);
}

void resolve_hooks(struct resolver *r)
{
	struct target *t = &r->m->target;
	size_t n;
	const struct spec_hook_text **v = IN_EFFECT(r, hooks, spec_hook_text, &n);

	t->hooks = ARRAY_NEW(r->ctx, struct hook_symbol, n);
	for (size_t i = 0; i < n; i++) {
		struct hook_symbol *h = &t->hooks[t->nhooks];
		struct text text = bind_text(r, &v[i]->text, 0);
		bool foreign = false;

		check_symbol_name(r, "symbol", &v[i]->text, &text);
		if (!is_declared(r, &v[i]->name))
			continue;
		check_symbol_differs(r, &v[i]->text);
		*h = (struct hook_symbol){.name = v[i]->name.name, .symbol = v[i]->text.text};
		if (v[i]->clobber.text)
			register_set(r, v[i]->clobber.text, v[i]->clobber.place, &h->clobber, &foreign);
		t->nhooks++;
	}
}
