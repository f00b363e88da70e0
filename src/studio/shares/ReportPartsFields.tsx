import type { ExperimentMetric } from '#experiments/experiment'
import { isMetricShown, type ReportParts } from '#shares/report-parts'
import { Checkbox } from '#ui/form/Checkbox'

const partLabels = [
  ['verdict', 'Verdict', 'It names the metrics that decide.'],
  ['exposures', 'Exposed units and split', undefined],
  ['course', 'Course of the estimates', 'Of the metrics above, day by day.'],
  ['conclusion', 'Conclusion', undefined],
  ['notes', 'Notes', undefined],
] as const

/** The metrics that can be shown. */
export type ReportMetrics = readonly Pick<ExperimentMetric, 'id' | 'name'>[]

/** The parts of an experiment's report that a link shows. */
export function ReportPartsFields({
  parts,
  metrics,
  onChange,
}: {
  parts: ReportParts
  metrics: ReportMetrics
  onChange: (parts: ReportParts) => void
}) {
  const toggle = (id: string, isChecked: boolean) => {
    const shown = metrics.filter((one) => (one.id === id ? isChecked : isMetricShown(parts, one.id)))
    const isAll = shown.length === metrics.length
    onChange({ ...parts, metrics: isAll ? 'all' : shown.map((one) => one.id) })
  }
  return (
    <fieldset className="flex flex-col gap-2.5">
      <legend className="mb-1 font-medium">Shown in the report</legend>
      {metrics.map(({ id, name }) => (
        <Checkbox
          key={id}
          label={`Metric ${name}`}
          checked={isMetricShown(parts, id)}
          onChange={(isChecked) => toggle(id, isChecked)}
        />
      ))}
      {partLabels.map(([part, label, hint]) => (
        <Checkbox
          key={part}
          label={label}
          hint={hint}
          checked={parts[part]}
          onChange={(isChecked) => onChange({ ...parts, [part]: isChecked })}
        />
      ))}
      <p className="text-xs text-muted">
        The name, hypothesis and dates are always shown. With all metrics chosen, later ones are shown too.
      </p>
    </fieldset>
  )
}
