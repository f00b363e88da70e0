import { clsx } from 'clsx'
import { Check, CircleHelp, Minus, X } from 'lucide-react'
import { Fragment } from 'react'
import { reasonCodes } from '#flags/decision'
import type { ExplainedSet, Explanation } from '#flags/explain'
import type { ConditionSet } from '#flags/flag'
import { conditionInWords, type ConditionLabels, setInWords, percentText } from '#flags/words'
import { Badge } from '#ui/Badge'
import { Icon } from '#ui/Icon'
import { Panel } from '#ui/page/Panel'
import { VisuallyHidden } from '#ui/VisuallyHidden'
import { flagValueLabel } from './value-label'

interface DecisionPathProps {
  explanation: Explanation
  /** The flag's own, in the environment. */
  sets: readonly ConditionSet[]
  names: ConditionLabels
  visitor: string
}

/** The way a decision took, from the first question to the answer. */
export function DecisionPath({ explanation, sets, names, visitor }: DecisionPathProps) {
  return (
    <div className="flex min-w-0 flex-col gap-5">
      <Answer decision={explanation.decision} visitor={visitor} />
      <Panel title="Step by step">
        <ol className="flex flex-col gap-2">
          {explanation.steps.map((step, index) => (
            <li key={step} className="flex gap-3">
              <span
                aria-hidden
                className="mt-0.5 grid size-5 shrink-0 place-items-center rounded-full border border-line bg-sunken text-2xs text-muted"
              >
                {index + 1}
              </span>
              <span className="min-w-0 text-pretty wrap-anywhere">{step}</span>
            </li>
          ))}
        </ol>
      </Panel>
      {sets.length > 0 && <DecisionSteps explanation={explanation} sets={sets} names={names} />}
      <Buckets explanation={explanation} />
    </div>
  )
}

function Answer({ decision, visitor }: { decision: Explanation['decision']; visitor: string }) {
  return (
    <Panel>
      <p className="flex flex-wrap items-center gap-2 text-base">
        <span className="font-mono text-xs break-all">{visitor}</span>
        <span className="text-muted">gets</span>
        <Badge tone={decision.value === false ? 'neutral' : 'success'}>
          {flagValueLabel(decision.value, decision.flag.kind)}
        </Badge>
      </p>
      <p className="mt-2 text-pretty">{reasonCodes[decision.reason.code]}</p>
      {decision.payload !== undefined && (
        <p className="mt-3 overflow-hidden rounded-md border border-line bg-sunken px-3 py-2 font-mono text-xs wrap-anywhere whitespace-pre-wrap">
          {decision.payload}
        </p>
      )}
    </Panel>
  )
}

function DecisionSteps({ explanation, sets, names }: Omit<DecisionPathProps, 'visitor'>) {
  const { decision, bucket } = explanation
  return (
    <Panel title="Condition sets" description="Evaluated from top to bottom. The first match decides.">
      <ol className="flex flex-col">
        {explanation.sets.map((explained, index) => {
          const set = sets[index]
          return (
            set && (
              <ConditionSetStep
                key={`${index} ${set.percentage}`}
                set={set}
                explained={explained}
                isDeciding={decision.reason.condition === index}
                bucket={bucket}
                names={names}
              />
            )
          )
        })}
      </ol>
    </Panel>
  )
}

function Buckets({ explanation }: Pick<DecisionPathProps, 'explanation'>) {
  const { bucketedBy, bucket, variantBucket, holdoutBucket, layerBucket } = explanation
  const known = [
    { label: 'Rollout', bucket },
    { label: 'Variant', bucket: variantBucket },
    { label: 'Holdout', bucket: holdoutBucket },
    { label: 'Layer', bucket: layerBucket },
  ].flatMap((one) => (one.bucket === undefined ? [] : [{ label: one.label, bucket: one.bucket }]))
  if (bucketedBy === undefined || known.length === 0) return null
  return (
    <Panel
      title="Buckets"
      footer="A stable number from 0 to 1 for each flag and id. Ids below the rollout get the flag, so raising the rollout only adds people."
    >
      <dl className="grid gap-x-6 gap-y-2 sm:grid-cols-[8rem_minmax(0,1fr)]">
        <dt className="text-muted">Bucketed as</dt>
        <dd className="font-mono text-xs leading-5 break-all">{bucketedBy}</dd>
        {known.map((one) => (
          <Fragment key={one.label}>
            <dt className="text-muted">{one.label}</dt>
            <dd>
              <BucketLine label={`${one.label} bucket`} bucket={one.bucket} />
            </dd>
          </Fragment>
        ))}
      </dl>
    </Panel>
  )
}

/** Draws a visitor's bucket between 0 and 1, and the percentage as a threshold. */
function BucketLine({ label, bucket, until }: { label: string; bucket: number; until?: number }) {
  return (
    <span className="flex items-center gap-3">
      <span
        className="relative h-2 grow rounded-full bg-sunken shadow-[inset_0_0_0_1px_var(--color-line)]"
        aria-hidden
      >
        {until !== undefined && (
          <span
            className="absolute inset-y-0 left-0 rounded-full bg-accent-line"
            style={{ width: `${until}%` }}
          />
        )}
        <span
          className="absolute -top-1 h-4 w-0.5 -translate-x-1/2 bg-ink"
          style={{ left: `${bucket * 100}%` }}
        />
      </span>
      <span className="font-mono text-xs tabular-nums">
        <VisuallyHidden>{label} </VisuallyHidden>
        {bucket.toFixed(4)}
      </span>
    </span>
  )
}

const answerMarks = {
  yes: { icon: Check, look: 'border-success-line bg-success-soft text-success-ink', words: 'Matches:' },
  no: { icon: X, look: 'border-line bg-sunken text-muted', words: 'Does not match:' },
  unknown: {
    icon: CircleHelp,
    look: 'border-warning-line bg-warning-soft text-warning-ink',
    words: 'Unknown:',
  },
  skipped: { icon: Minus, look: 'border-line bg-surface text-faint', words: 'Not evaluated:' },
}

function AnswerMark({ of }: { of: keyof typeof answerMarks }) {
  const { icon, look, words } = answerMarks[of]
  return (
    <span className={clsx('grid size-5 shrink-0 place-items-center rounded-full border', look)}>
      <Icon of={icon} size="sm" />
      <VisuallyHidden>{words}</VisuallyHidden>
    </span>
  )
}

const markOf = (answer: boolean | 'unknown'): keyof typeof answerMarks =>
  answer === 'unknown' ? 'unknown' : answer ? 'yes' : 'no'

function ConditionSetStep({
  set,
  explained,
  isDeciding,
  bucket,
  names,
}: {
  set: ConditionSet
  explained: ExplainedSet
  isDeciding: boolean
  bucket: number | undefined
  names: ConditionLabels
}) {
  const { isReached, holds, isInPercentage, conditions } = explained
  return (
    <li
      className={clsx(
        'relative ml-2.5 border-l py-2 pl-6',
        isDeciding ? 'border-accent' : 'border-line',
        !isReached && 'opacity-60',
      )}
    >
      <span className="absolute top-2 -left-2.5">
        <AnswerMark of={isReached ? markOf(holds === true && !isInPercentage ? false : holds) : 'skipped'} />
      </span>
      <p className={clsx('text-pretty wrap-anywhere', isDeciding && 'font-medium')}>
        {setInWords(set, names)}
      </p>
      <ul className="mt-1.5 flex flex-col gap-1.5">
        {conditions.map(({ condition, answer }, index) => (
          <li key={`${index} ${condition.type}`} className="flex items-start gap-2 text-muted">
            <AnswerMark of={isReached ? markOf(answer) : 'skipped'} />
            <span className="min-w-0 wrap-anywhere">{conditionInWords(condition, names)}</span>
          </li>
        ))}
        {isReached && holds === true && set.percentage < 100 && (
          <li className="flex flex-col gap-1 text-muted">
            <span className="flex items-start gap-2">
              <AnswerMark of={isInPercentage ? 'yes' : 'no'} />
              {isInPercentage ? 'Among' : 'Not among'} the {percentText(set.percentage)}
            </span>
            {bucket !== undefined && (
              <span className="pl-7">
                <BucketLine label="Bucket" bucket={bucket} until={set.percentage} />
              </span>
            )}
          </li>
        )}
      </ul>
    </li>
  )
}
