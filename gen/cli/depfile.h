/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What was written and what was read for it, as a rule of make. */
#ifndef UCOPY_DEPFILE_H
#define UCOPY_DEPFILE_H

#include "driver.h"
#include "output.h"

/* Would it take the place of a file that is read or written, or name one that no rule can?  Then an error says so. */
bool depfile_fits(struct run *run, struct output_file **files);
/* Its text, the run's files being its targets.  NULL: errno says why. */
struct output_file *depfile_print(struct run *run, void *ctx, struct output_file **files);

#endif
