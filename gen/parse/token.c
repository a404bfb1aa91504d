/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Tables made from the list of tokens. */
#include <stddef.h>

#include "grammar.h"
#include "token.h"

#define KEYWORD(id, text, group) [T_##id] = "`" text "`",
#define PUNCTUATION(id, text, group) [T_##id] = "`" text "`",
#define OTHER(id, text) [T_##id] = text,
static const char *const names[] = { "end of file", TOKENS(KEYWORD, PUNCTUATION, OTHER) };
#undef KEYWORD
#undef PUNCTUATION
#undef OTHER

#define KEYWORD(id, text, group) [T_##id] = text,
#define NONE(...)
static const char *const keywords[sizeof(names) / sizeof(*names)] = { TOKENS(KEYWORD, NONE, NONE) };
#undef KEYWORD

#define GROUP(id, text, group) [T_##id] = GROUP_##group,
static const unsigned char groups[sizeof(names) / sizeof(*names)] = {
	TOKENS(GROUP, GROUP, NONE) [T_NAME] = GROUP_NONE
};

const char *token_name(int kind)
{
	return names[kind];
}

const char *token_keyword(int kind)
{
	return keywords[kind];
}

enum token_group token_group(int kind)
{
	return (enum token_group)groups[kind];
}
