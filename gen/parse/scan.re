/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The scanner: a whole text in memory, a NUL behind its end; NULs inside are bytes like others. */
#include <string.h>

#include "diag.h"
#include "grammar.h"
#include "token.h"

/*!re2c
re2c:define:YYCTYPE = "unsigned char";
re2c:yyfill:enable = 0;
re2c:eof = 0;

blank	= [ \t\r];
digits	= [0-9]+;
name	= [A-Za-z_][A-Za-z0-9_]*;
*/

static struct place part(const struct scanner *s, const unsigned char *start, const unsigned char *end)
{
	const unsigned char *text = (const unsigned char *)s->text;

	return (struct place){ s->source, s->base + (uint32_t)(start - text), s->base + (uint32_t)(end - text) };
}

#define KEYWORD(id, text, group) { T_##id, sizeof(text) - 1, text },
#define NONE(...)
static const struct {
	int kind;
	size_t length;
	const char *text;
} keywords[] = { TOKENS(KEYWORD, NONE, NONE) };

static int keyword(const unsigned char *start, const unsigned char *end)
{
	size_t length = (size_t)(end - start);

	for (size_t i = 0; i < sizeof(keywords) / sizeof(*keywords); i++)
		if (keywords[i].length == length && !memcmp(keywords[i].text, start, length))
			return keywords[i].kind;
	return T_NAME;
}

static int digit(unsigned char c)
{
	return c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10;
}

static uint64_t unit(unsigned char c)
{
	return c == 'K' ? 1024 : c == 'M' ? 1024 * 1024 : 1;
}

/* Digits, and behind decimal ones perhaps a unit. */
static void number(struct scanner *s, const unsigned char *start, const unsigned char *end, uint64_t base, uint64_t *ret)
{
	uint64_t times = base == 10 ? unit(end[-1]) : 1, n = 0;
	const unsigned char *p = start + (base == 16 ? 2 : 0), *stop = end - (times > 1);

	for (; p < stop; p++) {
		uint64_t k = (uint64_t)digit(*p);

		if (n > (UINT64_MAX - k) / base)
			break;
		n = n * base + k;
	}
	if (p < stop || n > UINT64_MAX / times) {
		diag_error(s->d, DIAG_NUMBER, part(s, start, end), "number is larger than 2^64 - 1");
		n = 0;
	}
	*ret = n * times;
}

/* Nothing but printable characters reaches the assembler. */
static void check_text(struct scanner *s, const unsigned char *start, const unsigned char *end)
{
	for (const unsigned char *p = start; p < end; p++)
		if ((*p < ' ' && *p != '\t') || *p > '~') {
			diag_error(s->d, DIAG_CHARACTER, part(s, p, p + 1),
				   "character \\x%02x in a text: only printable ASCII and tabs can stand there", *p);
			return;
		}
}

static void bad_character(struct scanner *s, const unsigned char *at)
{
	if (*at > ' ' && *at <= '~')
		diag_error(s->d, DIAG_CHARACTER, part(s, at, at + 1), "character `%c` begins no token", *at);
	else
		diag_error(s->d, DIAG_CHARACTER, part(s, at, at + 1), "character \\x%02x begins no token", *at);
}

int scan(struct scanner *s, struct token *ret)
{
	const unsigned char *YYCURSOR = (const unsigned char *)s->at, *YYLIMIT = (const unsigned char *)s->limit;
	const unsigned char *YYMARKER = YYCURSOR, *start;
	bool first = s->at == s->text;
	int kind;

#define IS(token) do { kind = (token); goto done; } while (0)
	ret->number = 0;
again:
	start = YYCURSOR;
	/*!re2c
	blank+			{ goto again; }
	"\n"			{ first = true; goto again; }
	"#" [^\n]*		{ goto again; }
	"`" [^`\n]* "`"		{ check_text(s, start + 1, YYCURSOR - 1); IS(T_TEXT); }
	"`" [^`\n]*		{
		diag_error(s->d, DIAG_TEXT_OPEN, part(s, start, YYCURSOR), "text is not closed on its line");
		IS(T_TEXT);
	}
	"0x" [0-9A-Fa-f]+	{ number(s, start, YYCURSOR, 16, &ret->number); IS(T_NUM); }
	digits [KM]?		{ number(s, start, YYCURSOR, 10, &ret->number); IS(T_NUM); }
	digits [A-Za-z0-9_]+	{
		diag_error(s->d, DIAG_NUMBER, part(s, start, YYCURSOR),
			   "`%.*s` is no number: they are decimal, with K or M behind them, or hexadecimal with 0x before",
			   YYCURSOR - start > 40 ? 40 : (int)(YYCURSOR - start), (const char *)start);
		IS(T_NUM);
	}
	[MUKNSD] (digits ("," digits)*)? "u"? "n"? / [[(]	{ IS(T_MEM); }
	name			{ IS(keyword(start, YYCURSOR)); }
	"?" name		{ IS(T_RELVAR); }
	"{"	{ IS(T_LB); }
	"}"	{ IS(T_RB); }
	"("	{ IS(T_LP); }
	")"	{ IS(T_RP); }
	"["	{ IS(T_LK); }
	"]"	{ IS(T_RK); }
	"="	{ IS(T_ASSIGN); }
	"+="	{ IS(T_ADDTO); }
	"-="	{ IS(T_SUBFROM); }
	","	{ IS(T_COMMA); }
	";"	{ IS(T_SEMI); }
	":"	{ IS(T_COLON); }
	".."	{ IS(T_DOTDOT); }
	"~"	{ IS(T_TILDE); }
	"+"	{ IS(T_PLUS); }
	"-"	{ IS(T_MINUS); }
	"*"	{ IS(T_STAR); }
	"/"	{ IS(T_SLASH); }
	"%"	{ IS(T_PERCENT); }
	"&"	{ IS(T_AMP); }
	"|"	{ IS(T_BAR); }
	"^"	{ IS(T_CARET); }
	"<<"	{ IS(T_SHL); }
	">>"	{ IS(T_SHR); }
	"=="	{ IS(T_EQ); }
	"!="	{ IS(T_NE); }
	"<"	{ IS(T_LT); }
	"<="	{ IS(T_LE); }
	">"	{ IS(T_GT); }
	">="	{ IS(T_GE); }
	"<s" / [^A-Za-z0-9_]	{ IS(T_SLT); }
	"<=s" / [^A-Za-z0-9_]	{ IS(T_SLE); }
	">s" / [^A-Za-z0-9_]	{ IS(T_SGT); }
	">=s" / [^A-Za-z0-9_]	{ IS(T_SGE); }
	*			{ bad_character(s, start); goto again; }
	$			{ IS(0); }
	*/
done:
	ret->place = part(s, start, YYCURSOR);
	ret->first = first;
	s->at = (const char *)YYCURSOR;
	return kind;
}
