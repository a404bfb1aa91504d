/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Which machine, which target, which variants; then one resolution for each target there is, so that all are
 * checked. */
#include "resolve.h"
#include "resolve_priv.h"

#define CHAIN_MAX 16			/* targets made from targets */
#define TARGETS_MAX 32			/* of a machine, its variants among them: each is resolved for itself */

static const struct spec_machine *find_machine(struct resolver *r, const char *name)
{
	const struct tree *t = r->tree;
	struct near near = {0};

	for (size_t i = t->nmachines; i-- > 0; ) {
		if (!name || strcmp(t->machines[i]->name.name, name) == 0)
			return t->machines[i];
		near_add(r, &near, t->machines[i]->name.name);
	}
	if (name)
		fail_unknown(r, DIAG_NO_MACHINE, (struct place){0}, "there is no machine", name, near);
	else
		fail(r, DIAG_NO_MACHINE, (struct place){t->nsources ? t->sources[0] : NULL, 0, 0},
		     "there is no machine in this file");
	return NULL;
}

static const struct spec_target *target_of(struct spec_target *const *v, size_t n, const char *name)
{
	for (size_t i = n; i-- > 0; )
		if (strcmp(v[i]->name.name, name) == 0)
			return v[i];
	return NULL;
}

/* A target's name: first what applied variants have, then the machine's own, then those at top level. */
static const struct spec_target *find_target(const struct resolver *r, const char *name,
					     const struct spec_target *below)
{
	const struct spec_target *found = NULL;

	for (size_t i = 0; i < r->napplied && !found; i++)
		found = target_of(r->applied[i]->body.targets, r->applied[i]->body.ntargets, name);
	if (!found || found == below)
		found = target_of(r->spec->body.targets, r->spec->body.ntargets, name);
	for (size_t i = r->tree->ntargets; i-- > 0 && (!found || found == below); ) {
		const struct spec_target *t = r->tree->targets[i];

		if (strcmp(t->name.name, name) == 0 &&
		    (!t->of.name || strcmp(t->of.name, r->spec->name.name) == 0))
			found = t;
	}
	return found;
}

bool knows_target(const struct resolver *r, const char *name)
{
	for (size_t i = 0; i < r->spec->body.nvariants; i++) {
		const struct spec_body *body = &r->spec->body.variants[i]->body;

		if (target_of(body->targets, body->ntargets, name))
			return true;
	}
	return find_target(r, name, NULL) != NULL;
}

static void unknown_target(struct resolver *r, const char *name, struct place at)
{
	struct near near = {0};

	for (size_t i = 0; i < r->spec->body.ntargets; i++)
		near_add(r, &near, r->spec->body.targets[i]->name.name);
	for (size_t i = 0; i < r->tree->ntargets; i++)
		near_add(r, &near, r->tree->targets[i]->name.name);
	fail_unknown(r, DIAG_NO_TARGET, at, "there is no target", name, near);
}

static bool in_chain(const struct resolver *r, const struct spec_target *t)
{
	for (size_t i = 0; i < r->nchain; i++)
		if (r->chain[i] == t)
			return true;
	return false;
}

static bool is_of(const struct spec_target *t, const struct spec_machine *m)
{
	return t->of.name && strcmp(t->of.name, m->name.name) == 0;
}

static bool build_chain(struct resolver *r, const char *name)
{
	struct place at = r->spec->name.place;
	const struct spec_target *t = NULL;

	r->chain = ARRAY_NEW(r->ctx, const struct spec_target *, CHAIN_MAX);
	r->nchain = 0;
	while (name) {
		const struct spec_target *above = find_target(r, name, t);

		if (!above) {
			unknown_target(r, name, at);
			return false;
		}
		if (in_chain(r, above) || r->nchain == CHAIN_MAX) {
			fail(r, DIAG_TARGET_CYCLE, at, "target `%s` is made from itself", name);
			return false;
		}
		r->chain[r->nchain++] = t = above;
		name = above->from.name;
		at = above->from.place;
	}
	return true;
}

static const struct spec_variant *find_variant(const struct resolver *r, const char *name, size_t length)
{
	for (size_t i = 0; i < r->spec->body.nvariants; i++) {
		const struct spec_variant *v = r->spec->body.variants[i];

		if (strlen(v->name.name) == length && memcmp(v->name.name, name, length) == 0)
			return v;
	}
	return NULL;
}

static void apply(struct resolver *r, const struct spec_variant *v)
{
	for (size_t i = 0; i < r->napplied; i++)
		if (r->applied[i] == v)
			return;
	ARRAY_RESIZE(r->ctx, r->applied, const struct spec_variant *, r->napplied + 1);
	r->applied[r->napplied++] = v;
}

/* `+VARIANT+VARIANT` behind a target's name. */
static bool apply_named(struct resolver *r, const char *names)
{
	while (*names == '+') {
		size_t length = strcspn(++names, "+");
		const struct spec_variant *v = find_variant(r, names, length);
		struct near near = {0};

		for (size_t i = 0; i < r->spec->body.nvariants; i++)
			near_add(r, &near, r->spec->body.variants[i]->name.name);
		if (!v) {
			fail_unknown(r, DIAG_NO_VARIANT, r->spec->name.place, "there is no variant",
				     talloc_strndup(r->ctx, names, length), near);
			return false;
		}
		apply(r, v);
		names += length;
	}
	return true;
}

/* The last `named` of those that are applied were the first: what is asked for comes before what a target has by itself. */
static void named_last(struct resolver *r, size_t named)
{
	const struct spec_variant **first = talloc_memdup(r->ctx, r->applied, named * sizeof(*first));

	memmove(r->applied, r->applied + named, (r->napplied - named) * sizeof(*first));
	memcpy(r->applied + r->napplied - named, first, named * sizeof(*first));
}

/* A target's `feature VARIANT yes`: the nearest in the chain counts. */
static void apply_features(struct resolver *r)
{
	size_t named = r->napplied;

	for (size_t i = 0; i < r->spec->body.nvariants; i++) {
		const struct spec_variant *v = r->spec->body.variants[i];
		int value = -1;

		for (size_t k = 0; k < r->nchain && value < 0; k++)
			for (size_t j = 0; j < r->chain[k]->body.nfeatures; j++)
				if (strcmp(r->chain[k]->body.features[j].name.name, v->name.name) == 0)
					value = r->chain[k]->body.features[j].value;
		if (value == FEATURE_YES)
			apply(r, v);
	}
	if (named)
		named_last(r, named);
}

static void build_layers(struct resolver *r)
{
	r->layers = ARRAY_NEW(r->ctx, const struct spec_body *, r->nchain + r->napplied + 1);
	r->nlayers = 0;
	for (size_t i = 0; i < r->nchain; i++)
		r->layers[r->nlayers++] = &r->chain[i]->body;
	for (size_t i = r->napplied; i-- > 0; )
		r->layers[r->nlayers++] = &r->applied[i]->body;
	r->layers[r->nlayers++] = &r->spec->body;
}

/* One target, with all that is said about it checked; what is found is in r->m. */
static void resolve_one(struct resolver *r, const char *target)
{
	size_t length = strcspn(target, "+");

	r->m = talloc_zero(r->ctx, struct machine);
	r->m->name = r->spec->name.name;
	r->m->target.full_name = talloc_strdup(r->ctx, target);
	r->m->place = r->spec->place;
	r->m->result = r->m->zero = -1;
	r->applied = NULL;		/* what it had may be another's */
	r->napplied = 0;
	r->lacks = false;
	if (!apply_named(r, target + length) || !build_chain(r, talloc_strndup(r->ctx, target, length)))
		return;
	apply_features(r);
	r->foreign = (struct name_list){0};
	build_layers(r);
	for (size_t i = 0; i < r->nlayers; i++)
		check_facts_once(r, r->layers[i]);
	resolve_facts(r);
	resolve_registers(r);
	if (r->m->nclasses == 0)
		return;
	resolve_abi(r);
	resolve_target(r);
	resolve_frame(r);
	resolve_patterns(r);
	check_frames(r);
	check_machine(r);
}

static void check_other(const struct resolver *like, const char *target)
{
	struct resolver r = *like;

	r.ctx = talloc_new(like->history);
	resolve_one(&r, target);
}

/* Errors are wanted of all targets and variants at once; what was said already is not said again. */
static void check_others(const struct resolver *r, const char *target)
{
	const struct spec_body *body = &r->spec->body;

	for (size_t i = 0; i < body->ntargets; i++)
		check_other(r, body->targets[i]->name.name);
	for (size_t i = 0; i < r->tree->ntargets; i++)
		if (is_of(r->tree->targets[i], r->spec))
			check_other(r, r->tree->targets[i]->name.name);
	for (size_t i = 0; i < body->nvariants; i++) {
		const struct spec_variant *v = body->variants[i];

		check_other(r, talloc_asprintf(r->history, "%.*s+%s", (int)strcspn(target, "+"), target,
					       v->name.name));
		for (size_t k = 0; k < v->body.ntargets; k++)
			check_other(r, talloc_asprintf(r->history, "%s+%s", v->body.targets[k]->name.name,
						       v->name.name));
	}
}

static bool check_number(struct resolver *r)
{
	const struct spec_body *body = &r->spec->body;
	size_t n = body->ntargets + body->nvariants;

	for (size_t i = 0; i < r->tree->ntargets; i++)
		n += is_of(r->tree->targets[i], r->spec);
	for (size_t i = 0; i < body->nvariants; i++)
		n += body->variants[i]->body.ntargets;
	if (n > TARGETS_MAX)
		fail(r, DIAG_MANY, r->spec->name.place, "a machine has at most %d targets and variants", TARGETS_MAX);
	return n <= TARGETS_MAX;
}

static struct machine *resolve(void *ctx, struct diag *d, const struct tree *t, const char *machine, const char *target,
			       bool others)
{
	struct history *history = talloc_zero(ctx, struct history);
	struct resolver r = {.ctx = ctx, .d = d, .tree = t, .history = history};
	unsigned before = diag_errors(d);

	if (!target)
		target = "plain";
	r.spec = find_machine(&r, machine);
	if (r.spec && check_number(&r)) {
		resolve_one(&r, target);
		if (others)
			check_others(&r, target);
	}
	return diag_errors(d) == before ? r.m : NULL;
}

struct machine *resolve_machine(void *ctx, struct diag *d, const struct tree *t, const char *machine, const char *target)
{
	return resolve(ctx, d, t, machine, target, true);
}

struct machine *resolve_next(void *ctx, struct diag *d, const struct tree *t, const char *machine, const char *target)
{
	return resolve(ctx, d, t, machine, target, false);
}
