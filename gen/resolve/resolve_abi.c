/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What the calling convention makes of registers, and which of its roles exclude each other. */
#include "resolve_priv.h"

static int *fact_registers(struct resolver *r, enum fact_kind kind, size_t *ret_n)
{
	const struct spec_fact *f = find_fact(r, kind);

	*ret_n = 0;
	return f && f->texts.n ? register_list(r, &f->texts.v[0], ret_n) : NULL;
}

static int one_register(struct resolver *r, enum fact_kind kind)
{
	const struct spec_fact *f = find_fact(r, kind);
	size_t n;
	int *regs = fact_registers(r, kind, &n);

	if (f && f->texts.n && register_names(r, &f->texts.v[0]).n != 1)
		fail(r, DIAG_VALUE, f->place, "`%s` is one register", fact_names[kind]);
	return n ? regs[0] : -1;
}

static void resolve_args(struct resolver *r)
{
	struct machine *m = r->m;
	size_t most = sizeof m->args / sizeof m->args[0];
	int *regs = fact_registers(r, FACT_ARGS, &m->nargs);

	if (m->nargs > most) {
		fail(r, DIAG_VALUE, find_fact(r, FACT_ARGS)->place, "there are at most %zu arguments", most);
		m->nargs = most;
	}
	for (size_t i = 0; i < m->nargs; i++)
		m->args[i] = regs[i];
}

static void resolve_keep(struct resolver *r)
{
	const struct spec_fact *f = find_fact(r, FACT_KEEP);
	struct name_list names = {0};
	struct place twice = {0};

	if (f && f->texts.n)
		names = register_names(r, &f->texts.v[0]);
	r->m->keep = ARRAY_NEW(r->ctx, const char *, names.n);
	r->m->nkeep = names.n;
	for (size_t i = 0; i < names.n; i++) {
		int reg = machine_reg(r->m, names.v[i].name);

		for (size_t k = 0; k < i; k++)
			if (strcmp(names.v[k].name, names.v[i].name) == 0 && other_span(&twice, names.v[i].place))
				fail(r, DIAG_TWICE, names.v[i].place, "register `%s` stands twice in this list",
				     names.v[i].name);
		r->m->keep[i] = names.v[i].name;
		if (reg >= 0)
			regset_add(&r->m->kept, reg);
	}
}

static void note_fact(struct resolver *r, enum fact_kind kind)
{
	const struct spec_fact *f = find_fact(r, kind);

	if (f)
		note(r, f->place, "`%s` is said here", fact_names[kind]);
}

static void check_not_kept(struct resolver *r, const int *regs, size_t n, enum fact_kind kind)
{
	for (size_t i = 0; i < n; i++) {
		if (!regset_has(&r->m->kept, regs[i]))
			continue;
		fail(r, DIAG_ROLE, find_fact(r, kind)->place,
		     "register `%s` is in `%s`, yet must be as at entry on every way out",
		     r->m->regs[regs[i]].name, fact_names[kind]);
		note(r, find_fact(r, FACT_KEEP)->place, "it is kept here");
	}
}

void check_not_zero(struct resolver *r, const int *regs, size_t n, struct place at, enum fact_kind kind)
{
	for (size_t i = 0; i < n; i++) {
		if (regs[i] != r->m->zero)
			continue;
		fail(r, DIAG_ROLE, at, "register `%s` is in `%s`, yet always 0", r->m->regs[regs[i]].name,
		     fact_names[kind]);
		note_fact(r, FACT_ZERO);
	}
}

/* What is handed over is a number or an address; where the first class has another width, that was said. */
static void check_width(struct resolver *r, const int *regs, size_t n, enum fact_kind kind)
{
	const struct machine *m = r->m;

	for (size_t i = 0; i < n; i++) {
		if (m->regs[regs[i]].width == m->width)
			continue;
		fail(r, DIAG_ROLE, find_fact(r, kind)->place,
		     "register `%s` is in `%s`, yet has %d bytes: a number or an address has %d",
		     m->regs[regs[i]].name, fact_names[kind], m->regs[regs[i]].width, m->width);
		note_fact(r, FACT_WIDTH);
	}
}

static void check_roles(struct resolver *r, const int *regs, size_t n, enum fact_kind kind)
{
	const struct spec_fact *f = find_fact(r, kind);

	if (!f)
		return;
	check_not_kept(r, regs, n, kind);
	check_not_zero(r, regs, n, f->place, kind);
	if (kind != FACT_FREE && r->m->classes[0].width == r->m->width)
		check_width(r, regs, n, kind);
}

void resolve_abi(struct resolver *r)
{
	struct machine *m = r->m;

	resolve_args(r);
	resolve_keep(r);
	m->result = one_register(r, FACT_RESULT);
	m->zero = one_register(r, FACT_ZERO);
	m->free = fact_registers(r, FACT_FREE, &m->nfree);
	check_roles(r, m->free, m->nfree, FACT_FREE);
	check_roles(r, m->args, m->nargs, FACT_ARGS);
	check_roles(r, &m->result, m->result >= 0, FACT_RESULT);
}
