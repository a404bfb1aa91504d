/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Alternatives are decided here: the new instruction if STUB_ALTERNATIVES is defined, else the old one. */
#ifndef STUB_ALTERNATIVE_H
#define STUB_ALTERNATIVE_H

.macro ALTERNATIVE old, new, feature
#ifdef STUB_ALTERNATIVES
	\new
#else
	\old
#endif
.endm

#endif
