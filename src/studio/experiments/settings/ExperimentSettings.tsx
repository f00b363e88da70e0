'use client'

import { lazy, Suspense } from 'react'
import { type Experiment, statusOf } from '#experiments/experiment'
import type { Variant } from '#flags/flag'
import { Notice } from '#ui/page/Notice'
import { Panel } from '#ui/page/Panel'
import { Skeleton } from '#ui/page/Skeleton'
import { ChangedMeanwhile } from '#studio/parts/ChangedMeanwhile'
import { SaveBar } from '#studio/parts/SaveBar'
import { StudioPickers } from '#studio/insights/pickers'
import { useVersionedDraft } from '#studio/parts/use-versioned-draft'
import { AboutFields, type ExperimentFieldsProps } from '../editor/AboutFields'
import type { ExperimentChoices } from '../editor/choices'
import { ControlField } from '../editor/ControlField'
import {
  changesPrimaryMetrics,
  changeOf,
  differencesOf,
  draftOf,
  type ExperimentDraft,
  fieldProblems,
} from '../editor/draft'
import { KindFields } from '../editor/KindFields'
import { LazyMetricList } from '../metrics/LazyMetricList'
import { changeExperiment, reloadExperiment } from '../actions'
import type { RecipientChoices } from './RecipientsPanel'

/** Parts that depend on the kind or the state, or are far down the page, load after the rest. */
const ExposureSettings = lazy(async () => ({
  default: (await import('./ExposureSettings')).ExposureSettings,
}))
const AnalysisFields = lazy(async () => ({
  default: (await import('../editor/AnalysisFields')).AnalysisFields,
}))
const RecipientsPanel = lazy(async () => ({ default: (await import('./RecipientsPanel')).RecipientsPanel }))
const StartExperiment = lazy(async () => ({ default: (await import('./StartExperiment')).StartExperiment }))
const BanditFields = lazy(async () => ({ default: (await import('../editor/BanditFields')).BanditFields }))
const StartedRamp = lazy(async () => ({ default: (await import('./StartedRamp')).StartedRamp }))

interface ExperimentSettingsProps {
  experiment: Experiment
  choices: ExperimentChoices
  recipientChoices: RecipientChoices
  /** The flag as it is now; undefined if it is gone. */
  flag: { variants: readonly Variant[]; isOn: boolean } | undefined
  whyNot: string | undefined
}

/** Edits an experiment. What may not change once it runs is shown with the reason. */
export function ExperimentSettings({
  experiment,
  choices,
  recipientChoices,
  flag,
  whyNot,
}: ExperimentSettingsProps) {
  const editing = useExperimentDraft(choices.slug, experiment)
  const { base, draft, problems, change, lines, otherChange } = editing
  const fields = { draft, problems, onChange: change }
  const { startedAt } = experiment
  const status = statusOf(experiment)
  return (
    <StudioPickers slug={choices.slug}>
      <div className="flex flex-col gap-5">
        <ChangedMeanwhile noun="experiment" otherChange={otherChange} />
        {status === 'draft' && (
          <Suspense fallback={<Skeleton className="h-24 w-full" />}>
            <StartExperiment
              slug={choices.slug}
              experiment={base}
              isFlagOn={flag?.isOn ?? false}
              whyNot={whyNot ?? (lines.length > 0 ? 'Save your changes first.' : undefined)}
            />
          </Suspense>
        )}
        <Panel title="About">
          <AboutFields {...fields} />
        </Panel>
        <KindPanel {...fields} hasStarted={startedAt !== undefined} />
        <Panel title="Variants" description="Their shares are those of the flag, and change there.">
          <ControlField
            variants={flag?.variants ?? [{ key: draft.control, percentage: 100 }]}
            control={draft.control}
            problems={problems}
            onChange={(control) => change({ control })}
          />
        </Panel>
        <Panel title="Metrics" description="A primary metric decides, guardrails must not get worse.">
          <div className="flex flex-col gap-4">
            {startedAt && changesPrimaryMetrics(base, draft) && <PrimaryMetricsWarning />}
            <LazyMetricList
              metrics={draft.metrics}
              choices={choices}
              onChange={(metrics) => change({ metrics })}
            />
          </div>
        </Panel>
        <Panel title="Exposures" description="Who counts, and from when on.">
          <Suspense fallback={<Skeleton className="h-64 w-full" />}>
            <ExposureSettings {...fields} experiment={base} />
          </Suspense>
        </Panel>
        <Panel title="Analysis">
          <Suspense fallback={<Skeleton className="h-64 w-full" />}>
            <AnalysisFields {...fields} />
          </Suspense>
        </Panel>
        <Suspense fallback={<Skeleton className="h-32 w-full" />}>
          <RecipientsPanel {...fields} slug={choices.slug} choices={recipientChoices} />
        </Suspense>
        <SaveBar editing={editing} whyNot={whyNot} />
      </div>
    </StudioPickers>
  )
}

/** The kind is fixed once the experiment has started; then only its ramp or its weights are shown. */
function KindPanel({ hasStarted, ...fields }: ExperimentFieldsProps & { hasStarted: boolean }) {
  const { bandit, rollout } = fields.draft
  if (hasStarted && bandit)
    return (
      <Panel title="Weights">
        <Suspense fallback={<Skeleton className="h-40 w-full" />}>
          <BanditFields
            bandit={bandit}
            problems={fields.problems}
            onChange={(next) => fields.onChange({ bandit: next })}
          />
        </Suspense>
      </Panel>
    )
  if (hasStarted && !rollout) return null
  return (
    <Panel title="Kind">
      {hasStarted ? (
        <Suspense fallback={<Skeleton className="h-40 w-full" />}>
          <StartedRamp {...fields} />
        </Suspense>
      ) : (
        <KindFields {...fields} />
      )}
    </Panel>
  )
}

const PrimaryMetricsWarning = () => (
  <Notice tone="warning" title="The primary metrics differ from those of the start">
    Choosing them after results are known makes chance findings likely. Keep them, or add the new ones as
    secondary metrics.
  </Notice>
)

const useExperimentDraft = (slug: string, experiment: Experiment) =>
  useVersionedDraft<Experiment, ExperimentDraft>(experiment, {
    draftOf,
    differencesOf,
    isNewer: (one, other) => one.changedAt.getTime() > other.changedAt.getTime(),
    save: async (draft, base) => subjectOf(await changeExperiment(slug, base.id, changeOf(draft, base))),
    reload: async ({ id }) => subjectOf(await reloadExperiment(slug, id)),
    problemsIn: fieldProblems,
    savedMessage: ({ name }) => `${name} saved`,
  })

const subjectOf = (answer: Awaited<ReturnType<typeof reloadExperiment>>) =>
  answer.done ? { done: true as const, subject: answer.experiment } : answer
