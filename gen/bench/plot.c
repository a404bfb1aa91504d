/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The picture: both axes are logarithmic, so that a factor is as wide anywhere, and sizes are from 1 byte on. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include <talloc.h>

#include "show.h"

#define WIDTH 1000		/* of the whole, in pixels */
#define LEFT 80			/* margins of what is drawn in */
#define TOP 50
#define RIGHT 40
#define PLOT_HEIGHT 500
#define LINE 20			/* of the legend */

struct plot {
	FILE *out;
	const struct bench *b;
	double low, high;		/* decades of what is shown */
};

static const char *const colours[] = { "#1b6ca8", "#c0392b", "#2e8b57", "#8e44ad", "#b9770e", "#16a2a2", "#7f8c8d", "#34495e" };

#define NCOLOURS (sizeof colours / sizeof *colours)

static double x_of(const struct plot *p, double bytes)
{
	double most = p->b->sizes[p->b->nsizes - 1];

	return LEFT + (WIDTH - LEFT - RIGHT) * log(bytes) / log(most);
}

static double y_of(const struct plot *p, double speed)
{
	return TOP + PLOT_HEIGHT * (p->high - log10(speed)) / (p->high - p->low);
}

/* Bytes a nanosecond, or an instruction, both alignments together. */
static double speed(const struct bench *b, size_t work, size_t method)
{
	double taken = (double)(bench_median(b, work, ALIGNED, method) + bench_median(b, work, MISALIGNED, method)) / 2;

	return b->sizes[work] * (b->counts ? 1 : 1000) / fmax(taken, 1);
}

static void find_range(struct plot *p)
{
	double least = INFINITY, most = 0;

	for (size_t w = 0; w < p->b->nsizes; w++)
		for (size_t m = 0; p->b->sizes[w] && m < p->b->nmethods; m++) {
			least = fmin(least, speed(p->b, w, m));
			most = fmax(most, speed(p->b, w, m));
		}
	p->low = floor(log10(least));
	p->high = fmax(ceil(log10(most)), p->low + 1);
}

/* Text of a spec, as XML takes it. */
static void put_text(FILE *out, const char *s)
{
	for (; *s; s++)
		fprintf(out, strchr("<>&\"'", *s) || *s < ' ' || *s > '~' ? "&#%u;" : "%c", (unsigned char)*s);
}

static void label(const struct plot *p, double x, double y, const char *anchor, const char *text)
{
	fprintf(p->out, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">", x, y, anchor);
	put_text(p->out, text);
	fputs("</text>\n", p->out);
}

/* From x, y so far to the right and down; how: the stroke. */
static void draw_line(const struct plot *p, double x, double y, double right, double down, const char *how)
{
	fprintf(p->out, "<path d=\"M%.1f %.1fl%.1f %.1f\" %s/>\n", x, y, right, down, how);
}

static void grid_line(const struct plot *p, double x, double y, double right, double down)
{
	draw_line(p, x, y, right, down, "stroke=\"#dddddd\"");
}

static const char *bytes_text(void *ctx, unsigned n)
{
	return n >= 1u << 20 ? talloc_asprintf(ctx, "%u MiB", n >> 20) : n >= 1024 ? talloc_asprintf(ctx, "%u KiB", n >> 10) :
	       talloc_asprintf(ctx, "%u", n);
}

static void draw_axes(const struct plot *p)
{
	void *ctx = talloc_new(NULL);
	unsigned most = p->b->sizes[p->b->nsizes - 1];

	for (unsigned n = 1; n && n <= most; n *= 4) {
		grid_line(p, x_of(p, n), TOP, 0, PLOT_HEIGHT);
		label(p, x_of(p, n), TOP + PLOT_HEIGHT + 20, "middle", bytes_text(ctx, n));
	}
	for (double d = p->low; d <= p->high; d++) {
		double y = y_of(p, pow(10, d));

		grid_line(p, LEFT, y, WIDTH - LEFT - RIGHT, 0);
		label(p, LEFT - 8, y + 5, "end", talloc_asprintf(ctx, "%g", pow(10, d)));
		for (int k = 2; d < p->high && k <= 5; k += 3) {
			grid_line(p, LEFT, y_of(p, k * pow(10, d)), WIDTH - LEFT - RIGHT, 0);
			label(p, LEFT - 8, y_of(p, k * pow(10, d)) + 5, "end", talloc_asprintf(ctx, "%g", k * pow(10, d)));
		}
	}
	label(p, (LEFT + WIDTH - RIGHT) / 2.0, TOP + PLOT_HEIGHT + 45, "middle", "bytes copied or filled");
	fprintf(p->out, "<text transform=\"translate(20 %d) rotate(-90)\" text-anchor=\"middle\">bytes per %s</text>\n",
		TOP + PLOT_HEIGHT / 2, p->b->counts ? "instruction" : "nanosecond");
	talloc_free(ctx);
}

static void draw_method(const struct plot *p, size_t m)
{
	double y = TOP + PLOT_HEIGHT + 70 + LINE * (double)m;
	const char *dashes = m / NCOLOURS % 2 ? " stroke-dasharray=\"6 4\"" : "", *how;
	void *ctx = talloc_new(NULL);

	how = talloc_asprintf(ctx, "stroke=\"%s\" stroke-width=\"2\"%s", colours[m % NCOLOURS], dashes);
	fprintf(p->out, "<polyline fill=\"none\" %s points=\"", how);
	for (size_t w = 0; w < p->b->nsizes; w++)
		if (p->b->sizes[w])
			fprintf(p->out, "%.1f,%.1f ", x_of(p, p->b->sizes[w]), y_of(p, speed(p->b, w, m)));
	fputs("\"/>\n", p->out);
	draw_line(p, LEFT, y - 5, 40, 0, how);
	label(p, LEFT + 50, y, "start", bench_method_name(ctx, &p->b->methods[m]));
	talloc_free(ctx);
}

static void draw_threshold(const struct plot *p, const struct bench_choice *c)
{
	double x;
	char *text;

	if (!c->tune->between[0].name || c->crossing == p->b->nsizes || !c->value)
		return;
	x = x_of(p, (double)c->value);
	text = talloc_asprintf(NULL, "%s = %" PRIu64, c->tune->name, c->value);
	draw_line(p, x, TOP, 0, PLOT_HEIGHT, "stroke=\"#222222\" stroke-dasharray=\"3 3\"");
	label(p, x, TOP - 6, "middle", text);
	talloc_free(text);
}

void bench_plot(FILE *out, const struct bench *b, const struct bench_choice *choices, size_t n)
{
	struct plot p = { .out = out, .b = b };
	int height = TOP + PLOT_HEIGHT + 80 + LINE * (int)b->nmethods;
	char *title = talloc_asprintf(NULL, "%s/%s, both alignments together", b->machine->name,
				      b->machine->target.full_name);

	find_range(&p);
	fprintf(out, "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\" "
		"font-family=\"sans-serif\" font-size=\"14\">\n<rect width=\"%d\" height=\"%d\" fill=\"#ffffff\"/>\n",
		WIDTH, height, WIDTH, height, WIDTH, height);
	label(&p, LEFT, 24, "start", title);
	draw_axes(&p);
	for (size_t m = 0; m < b->nmethods; m++)
		draw_method(&p, m);
	for (size_t i = 0; i < n; i++)
		draw_threshold(&p, &choices[i]);
	fputs("</svg>\n", out);
	talloc_free(title);
}
