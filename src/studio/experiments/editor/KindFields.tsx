import { lazy, Suspense } from 'react'
import type { ExperimentKind } from '#experiments/experiment'
import { RadioGroup } from '#ui/form/RadioGroup'
import { Skeleton } from '#ui/page/Skeleton'
import type { ExperimentFieldsProps } from './AboutFields'
import { kindChange } from './draft'

/** Each kind's own fields are loaded when it is chosen. */
const BanditFields = lazy(async () => ({ default: (await import('./BanditFields')).BanditFields }))
const RampFields = lazy(async () => ({ default: (await import('./RampFields')).RampFields }))

const kinds = [
  {
    value: 'fixed',
    label: 'Experiment',
    hint: 'Compares variants with fixed shares, until you ship one or end it',
  },
  {
    value: 'bandit',
    label: 'Bandit',
    hint: 'Moves the shares towards the variants that do better, while it runs',
  },
  {
    value: 'rollout',
    label: 'Guarded rollout',
    hint: 'Ramps up step by step, and rolls back by itself when a guardrail gets worse',
  },
] as const satisfies readonly { value: ExperimentKind; label: string; hint: string }[]

/** The kind of the experiment, and what that kind needs. */
export function KindFields({ draft, problems, onChange }: ExperimentFieldsProps) {
  return (
    <div className="flex flex-col gap-4">
      <RadioGroup
        boxed
        label="Kind"
        options={kinds}
        value={draft.kind}
        onChange={(kind) => onChange(kindChange(draft, kind))}
      />
      <Suspense fallback={<Skeleton className="h-40 w-full" />}>
        {draft.kind === 'bandit' && draft.bandit && (
          <BanditFields
            bandit={draft.bandit}
            problems={problems}
            onChange={(bandit) => onChange({ bandit })}
          />
        )}
        {draft.kind === 'rollout' && draft.rollout && (
          <RampFields
            rollout={draft.rollout}
            problems={problems}
            onChange={(rollout) => onChange({ rollout })}
          />
        )}
      </Suspense>
    </div>
  )
}
