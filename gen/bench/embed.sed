# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# A file as elements of an array of strings, one a line.
s/\\/\\\\/g
s/"/\\"/g
s/.*/"&\\n",/
