#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# fuzz.sh parse|pipeline SECONDS: runs libFuzzer with what it found before; new finds are in build-fuzz/NAME.  Needs clang.
set -eu
cd "$(dirname "$0")/.."
name=$1 seconds=$2
instrumented='-fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=all'
[ -f build-fuzz/build.ninja ] || CC=clang meson setup build-fuzz -Dbuildtype=plain "-Dc_args=-g -O1 $instrumented" \
	"-Dc_link_args=-fsanitize=address,undefined"
ninja -C build-fuzz libcompiler.a libgenerated.a
rooms=$(find gen -type d | sed 's/^/-I/')
# shellcheck disable=SC2046,SC2086
clang -std=c17 -D_GNU_SOURCE -g -O1 -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=all $rooms -Ibuild-fuzz \
	-o "build-fuzz/fuzz_$name" "tests/fuzz_$name.c" -Wl,--start-group build-fuzz/libcompiler.a build-fuzz/libgenerated.a \
	-Wl,--end-group $(pkg-config --cflags --libs talloc jansson)
mkdir -p "build-fuzz/$name"
exec "build-fuzz/fuzz_$name" -dict=tests/fuzz.dict -max_len=12000 -rss_limit_mb=1024 \
	-max_total_time="$seconds" -artifact_prefix=build-fuzz/ -print_final_stats=1 "build-fuzz/$name" "tests/corpus/$name"
