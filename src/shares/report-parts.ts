/** The parts of an experiment's report that a share shows. Its name, hypothesis and dates are always shown. */
export interface ReportParts {
  verdict: boolean
  /** The ids of metrics, or all of them, later ones too. */
  metrics: 'all' | readonly string[]
  exposures: boolean
  course: boolean
  conclusion: boolean
  notes: boolean
}

/** The parts of a share whose maker chose none. */
export const usualParts: ReportParts = {
  verdict: true,
  metrics: 'all',
  exposures: true,
  course: false,
  conclusion: true,
  notes: false,
}

/** Whether the parts show a metric. */
export const isMetricShown = ({ metrics }: Pick<ReportParts, 'metrics'>, id: string): boolean =>
  metrics === 'all' || metrics.includes(id)
