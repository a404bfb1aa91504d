/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* JSON of what others wrote: no value is ever missing. */
#ifndef UCOPY_JSON_H
#define UCOPY_JSON_H

#include <jansson.h>

/* From here on the library has its memory from talloc, where nobody need ask whether there was any. */
void json_memory(void);

/* j; where there is none, the program ends. */
json_t *json_there(json_t *j);

/* A string of any bytes: where it is no UTF-8, what is not printable ASCII is spelled out as messages do. */
json_t *json_text(const char *s);

#endif
