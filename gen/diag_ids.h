/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Every diagnostic's stable id.  An id that is no longer used is not reused. */
DIAG(DIAG_SYNTAX, "syntax-error")
DIAG(DIAG_FILE, "file-not-read")
