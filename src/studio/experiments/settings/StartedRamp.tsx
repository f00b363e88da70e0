import { duration, plural } from '#ui/format'
import type { ExperimentFieldsProps } from '../editor/AboutFields'
import { WhenDoneField } from '../editor/RampFields'

/** The ramp of a rollout that has started: its steps are fixed, and what follows them may change. */
export function StartedRamp({ draft: { rollout }, onChange }: ExperimentFieldsProps) {
  if (!rollout) return null
  return (
    <div className="flex flex-col gap-4">
      <div>
        <p className="font-medium">Rollout in {plural(rollout.steps.length, 'step')}</p>
        <p className="text-muted">
          {rollout.steps
            .map(({ share, minutes }) => `${share}% for at least ${duration(minutes * 60_000)}`)
            .join(', ')}
          . The steps cannot change once the rollout has started.
        </p>
      </div>
      <WhenDoneField rollout={rollout} onChange={(next) => onChange({ rollout: next })} />
    </div>
  )
}
