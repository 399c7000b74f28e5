import type { EChartsOption } from 'echarts';
import { stepKind, stepLabels } from './chart-steps.ts';
import type { Chart, ChartSeries } from './chart.ts';
import type { ValueAxis } from './draw-axis.ts';
import { FAINT_INK, FONT, GRID_INK, PLOT_HEIGHT, TEXT_SIZE, colourOf } from './draw-style.ts';

/** Where the bars are: points from the upper left corner of the picture. */
export interface Plot {
  readonly left: number;
  readonly top: number;
  readonly width: number;
}

/** The room that a label under the bars takes with its distance from the next. */
const LABEL_WIDTH = { hour: 58, day: 58, week: 58, month: 84 };

/**
 * Bars, grid and dates as ECharts has them. What is foreign is not in it: ECharts would read some
 * of it as markup.
 */
export function plotOption(chart: Chart, axis: ValueAxis, plot: Plot): EChartsOption {
  const room = plot.width / LABEL_WIDTH[stepKind(chart.steps)];
  const labels = stepLabels(chart.steps, Math.max(1, Math.floor(room)));
  return {
    animation: false,
    textStyle: { fontFamily: FONT },
    grid: { ...plot, height: PLOT_HEIGHT, containLabel: false },
    xAxis: {
      type: 'category',
      data: chart.steps.map((_, step) => step),
      axisTick: { alignWithLabel: true, interval: (step: number) => labels[step] !== undefined },
      axisLine: { lineStyle: { color: FAINT_INK } },
      axisLabel: {
        interval: (step: number) => labels[step] !== undefined,
        formatter: (_: string, step: number) => labels[step] ?? '',
        margin: 12,
        color: FAINT_INK,
        fontSize: TEXT_SIZE,
      },
    },
    yAxis: {
      type: 'value',
      min: 0,
      max: axis.labels.length - 1,
      interval: 1,
      splitLine: { lineStyle: { color: GRID_INK } },
      axisLabel: { show: false },
    },
    series: chart.series.map((series, place) => barSeries(chart, series, place, axis)),
  };
}

function barSeries({ steps }: Chart, series: ChartSeries, place: number, axis: ValueAxis) {
  return {
    type: 'bar' as const,
    stack: 'all',
    color: colourOf(place),
    barCategoryGap: steps.length > 100 ? '0%' : '20%',
    barMaxWidth: 60,
    progressive: 0,
    data: steps.map((_, step) => series.values[step]?.div(axis.step).toNumber() ?? '-'),
  };
}
