/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#ifndef UCOPY_OUT_OF_MEMORY_H
#define UCOPY_OUT_OF_MEMORY_H

/* The stack grows where nobody can say that there is no room: what is needed of it is there from here on. */
void stack_reserve(void);

#endif
