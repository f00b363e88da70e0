import { useEffect, useState } from 'react'
import type { ExperimentPlan } from '#experiments/planning/plan'
import { Button } from '#ui/Button'
import { Field } from '#ui/form/Field'
import { TextInput } from '#ui/form/TextInput'
import { EmptyMessage } from '#ui/page/EmptyMessage'
import { FailedMessage } from '#ui/page/FailedMessage'
import { Panel } from '#ui/page/Panel'
import { Loading, Skeleton } from '#ui/page/Skeleton'
import { Spinner } from '#ui/Spinner'
import type { ActionResult } from '#studio/parts/action-result'
import { withNetworkErrors } from '#studio/parts/with-network-errors'
import { planDraft } from '../actions'
import { type ExperimentDraft, inputOf, type NewFlagDraft } from '../editor/draft'
import { SizeOffer } from '../plan/DecideAtSize'
import { Planned } from '../plan/Planned'
import { sizeToDecideAt } from '../plan/planned-size'

interface PlanStepProps {
  slug: string
  draft: ExperimentDraft
  newFlag: NewFlagDraft | undefined
  whyNot: string | undefined
  onChange: (part: Partial<ExperimentDraft>) => void
  onAddMetric: () => void
}

/** The running time by the project’s own history, drawn while the settings change. */
export function PlanStep({ slug, draft, newFlag, whyNot, onChange, onAddMetric }: PlanStepProps) {
  const [source, setSource] = useState({ path: '', event: '' })
  const isPlannable = whyNot === undefined && draft.metrics.some(({ role }) => role === 'primary')
  const { planned, isLate } = usePlan(slug, isPlannable ? requestOf(draft, newFlag, source) : undefined)
  return (
    <Panel
      title="Sample size and running time"
      description="From the events of the last 28 days."
      actions={isLate && planned ? <Spinner size="sm" label="Planning" /> : undefined}
    >
      {isPlannable ? (
        <div className="flex flex-col gap-5">
          <SourceFields {...source} onChange={(part) => setSource((before) => ({ ...before, ...part }))} />
          {planned ? <PlanAnswer planned={planned} draft={draft} onChange={onChange} /> : <Drawing />}
        </div>
      ) : (
        <EmptyMessage
          title="Nothing decides yet"
          body={whyNot ?? 'With a primary metric you see here how many people and days it takes.'}
          action={whyNot === undefined && <Button onClick={onAddMetric}>Add a primary metric</Button>}
        />
      )}
    </Panel>
  )
}

type PlanResult = ActionResult<{ plan: ExperimentPlan; sentences: string[] }>

const requestOf = (
  draft: ExperimentDraft,
  newFlag: NewFlagDraft | undefined,
  { path, event }: { path: string; event: string },
) => ({
  experiment: inputOf(draft),
  ...(newFlag && { variants: newFlag.variants.map(({ key, percentage }) => ({ key, percentage })) }),
  history: { ...(path !== '' && { path }), ...(event !== '' && { event }) },
})

const debounceMs = 300

/** The latest plan. Debounced: it is asked for once the draft stops changing. */
function usePlan(slug: string, asked: ReturnType<typeof requestOf> | undefined) {
  const request = asked && JSON.stringify(asked)
  const [latest, setLatest] = useState<{ request: string; planned: PlanResult }>()
  useEffect(() => {
    if (request === undefined) return undefined
    let isWanted = true
    const ask = async () => {
      const planned = await withNetworkErrors(() => planDraft(slug, JSON.parse(request)))
      if (isWanted) setLatest({ request, planned })
    }
    const timer = setTimeout(() => void ask(), debounceMs)
    return () => {
      isWanted = false
      clearTimeout(timer)
    }
  }, [slug, request])
  return { planned: latest?.planned, isLate: latest?.request !== request }
}

interface PlanAnswerProps extends Pick<PlanStepProps, 'draft' | 'onChange'> {
  planned: PlanResult
}

function PlanAnswer({ planned, draft, onChange }: PlanAnswerProps) {
  if (!planned.done)
    return (
      <FailedMessage
        title="Nothing could be planned"
        body={planned.problems.map(({ message }) => message).join(' ')}
      />
    )
  const { plan, sentences } = planned
  const size = sizeToDecideAt(draft, plan)
  const decide = (units: number) =>
    onChange({ analysis: { ...draft.analysis, decision: { rule: 'planned-size', units } } })
  return (
    <>
      <Planned plan={plan} sentences={sentences} />
      {size !== undefined && <SizeOffer units={size} whyNot={undefined} onDecide={() => decide(size)} />}
    </>
  )
}

interface SourceFieldsProps {
  path: string
  event: string
  onChange: (part: { path?: string; event?: string }) => void
}

/** The page or event at which people enter the experiment. */
const SourceFields = ({ path, event, onChange }: SourceFieldsProps) => (
  <div className="grid gap-4 sm:grid-cols-2">
    <Field label="Page path" optional hint="Where people meet the experiment">
      <TextInput
        placeholder="/pricing"
        value={path}
        onChange={({ target }) => onChange({ path: target.value })}
      />
    </Field>
    <Field label="Event" optional hint="Or what exposes them">
      <TextInput value={event} onChange={({ target }) => onChange({ event: target.value })} />
    </Field>
  </div>
)

const Drawing = () => (
  <Loading label="Planning">
    <div className="flex flex-col gap-3">
      <Skeleton className="h-5 w-2/3" />
      <Skeleton className="h-48 w-full" />
    </div>
  </Loading>
)
