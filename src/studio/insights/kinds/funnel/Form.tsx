'use client'

import { Field } from '#ui/form/Field'
import { Select } from '#ui/form/Select'
import { SegmentedControl } from '#ui/form/SegmentedControl'
import type { FunnelQuestion } from '#insights/kinds/funnel/question'
import { Breakdowns } from '../../form/Breakdowns'
import { type QuestionFormProps, FieldPair, FormPart } from '../../form/form-parts'
import { FunnelSteps } from '../../form/FunnelSteps'
import { everyInterval, PeriodFields } from '../../form/PeriodFields'
import { AudienceFields } from '../../form/AudienceFields'
import { usePickers } from '../../form/pickers'

const views = [
  { value: 'steps', label: 'Steps' },
  { value: 'trend', label: 'Over time' },
  { value: 'time', label: 'Time to convert' },
] as const

type Put = (next: Partial<FunnelQuestion>) => void

/** The form of a funnel question. */
export function FunnelForm({ question, onChange }: QuestionFormProps<FunnelQuestion>) {
  const put: Put = (next) => onChange({ ...question, ...next })
  const { breakdown, view } = question

  return (
    <>
      <FunnelSteps shape={question} put={put} />
      <FormPart title="View as">
        <SegmentedControl
          label="View"
          options={views}
          value={view}
          onChange={(next) => put({ view: next })}
        />
        <PerFields question={question} put={put} />
        {view === 'time' && <Between question={question} put={put} />}
      </FormPart>
      <Breakdowns
        values={breakdown ? [breakdown] : []}
        onChange={([next]) => put({ breakdown: next })}
        most={1}
        event={question.steps[0]?.event}
        limit={question.limit}
        onLimit={(limit) => put({ limit })}
      />
      {breakdown && <Attribution question={question} put={put} />}
      <PeriodFields question={question} onChange={put} intervals={view === 'trend' ? everyInterval : []} />
      <AudienceFields question={question} onChange={put} />
    </>
  )
}

const counts = [
  { value: 'person', label: 'Persons' },
  { value: 'session', label: 'Sessions' },
  { value: 'group', label: 'Groups' },
]

function PerFields({ question: { per }, put }: { question: FunnelQuestion; put: Put }) {
  const { GroupType } = usePickers()
  const chosen = typeof per === 'string' ? per : 'group'
  const choose = (next: string) =>
    put({ per: next === 'group' ? { group: '' } : next === 'session' ? 'session' : 'person' })

  return (
    <FieldPair>
      <Field label="Count by">
        <Select options={counts} value={chosen} onChange={choose} />
      </Field>
      {typeof per === 'object' && (
        <GroupType
          label="Group type"
          value={per.group || undefined}
          onChange={(group) => put({ per: { group } })}
        />
      )}
    </FieldPair>
  )
}

function placesOf({ steps }: FunnelQuestion) {
  return steps.map((_, place) => ({ value: String(place), label: `Step ${place + 1}` }))
}

function Between({ question, put }: { question: FunnelQuestion; put: Put }) {
  const places = placesOf(question)
  const { from, to } = question.between ?? { from: 0, to: question.steps.length - 1 }
  return (
    <FieldPair>
      <Select
        aria-label="From step"
        lead="From"
        options={places.slice(0, -1)}
        value={String(from)}
        onChange={(next) => put({ between: { from: Number(next), to } })}
      />
      <Select
        aria-label="To step"
        lead="To"
        options={places.slice(1)}
        value={String(to)}
        onChange={(next) => put({ between: { from, to: Number(next) } })}
      />
    </FieldPair>
  )
}

function Attribution({ question, put }: { question: FunnelQuestion; put: Put }) {
  const { attribution } = question
  const chosen = typeof attribution === 'object' ? String(attribution.step) : attribution
  function choose(next: string) {
    if (next === 'first' || next === 'last' || next === 'all steps') put({ attribution: next })
    else put({ attribution: { step: Number(next) } })
  }
  return (
    <Field label="Attribution" hint="The step whose value a person is counted under.">
      <Select
        options={[
          { value: 'first', label: 'First step' },
          { value: 'last', label: 'Last step' },
          { value: 'all steps', label: 'All steps' },
          ...placesOf(question).map(({ value, label }) => ({
            value,
            label: label,
          })),
        ]}
        value={chosen}
        onChange={choose}
      />
    </Field>
  )
}
