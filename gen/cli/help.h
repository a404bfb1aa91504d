/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Help made from the tables of commands and options: for a person, for the man page, for a shell. */
#ifndef UCOPY_HELP_H
#define UCOPY_HELP_H

#include "options.h"

void help_print(FILE *out, enum help_form form);

#endif
