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
		*h = (struct hook_symbol){.name = v[i]->name.name, .symbol = v[i]->text.text};
		if (v[i]->clobber.text)
			register_set(r, v[i]->clobber.text, v[i]->clobber.place, &h->clobber, &foreign);
		t->nhooks++;
	}
}
