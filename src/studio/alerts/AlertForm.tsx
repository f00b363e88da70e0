'use client'

import type { ReactNode } from 'react'
import type { AlertCondition } from '#alerts/condition'
import type { GivenRecipient } from '#alerts/recipient'
import type { WatchedMetric } from '#alerts/watched-metric'
import { eventWords } from '#alerts/watched-metric-words'
import { alertSentence, type CheckRhythm, checkRhythmNames, checkRhythms } from '#alerts/alert-words'
import { Button } from '#ui/Button'
import { Field } from '#ui/form/Field'
import { FormError } from '#ui/form/FormError'
import { Panel } from '#ui/page/Panel'
import { Select } from '#ui/form/Select'
import { TextInput } from '#ui/form/TextInput'
import { paths } from '#studio/paths'
import { StudioPickers } from '#studio/insights/pickers'
import { saveAlert } from './actions'
import { ConditionFields } from './ConditionFields'
import { AlertPreview } from './AlertPreview'
import { FormPart } from './FormPart'
import { RecipientFields } from '#studio/recipients/RecipientFields'
import { useFormDraft } from './use-form-draft'
import { type AlertMember, recipientLabel } from '#studio/recipients/recipients'
import { type TrendChoice, WatchedFields } from './WatchedFields'

export interface AlertDraft {
  name: string
  watched: WatchedMetric
  condition: AlertCondition
  every: CheckRhythm
  recipients: GivenRecipient[]
  coolDownMinutes: number
}

interface AlertFormProps {
  slug: string
  /** Absent for a new one. */
  id?: string
  draft: AlertDraft
  members: readonly AlertMember[]
  trends: readonly TrendChoice[]
  timeZone: string
  whyNot?: string
  hindrances?: Readonly<Record<string, string>>
  /** Content below the chart. */
  children?: ReactNode
}

const checkIntervalOptions = checkRhythmNames.map((value) => ({ value, label: checkRhythms[value].label }))

const coolDownOptions = [
  { value: '0', label: 'Every time' },
  { value: '15', label: 'Every 15 minutes' },
  { value: '60', label: 'Every hour' },
  { value: '360', label: 'Every 6 hours' },
  { value: '1440', label: 'Every day' },
]

/** An alert is said on one side; what it looks at is drawn on the other. */
export function AlertForm({ slug, id, whyNot, hindrances, children, ...given }: AlertFormProps) {
  const { members, trends, timeZone } = given
  const { draft, change, problems, save, isPending } = useFormDraft({
    initial: given.draft,
    save: (written: AlertDraft) => saveAlert(slug, id, written),
    addressOfNew: id === undefined ? (made) => paths.alert(slug, made) : undefined,
  })

  return (
    <StudioPickers slug={slug}>
      <div className="grid items-start gap-5 lg:grid-cols-[24rem_minmax(0,1fr)]">
        <Panel title="Condition and recipients">
          <div className="flex flex-col gap-5">
            <AlertFields
              draft={draft}
              onChange={change}
              members={members}
              trends={trends}
              hindrances={hindrances}
            />
            {problems.map((problem) => (
              <FormError key={problem} title={problem} />
            ))}
            <Button variant="primary" onClick={save} busy={isPending} disabledReason={whyNot}>
              {id === undefined ? 'Create alert' : 'Save'}
            </Button>
          </div>
        </Panel>
        <div className="flex min-w-0 flex-col gap-5 max-lg:order-first lg:sticky lg:top-17">
          <p className="text-base text-pretty" aria-live="polite">
            {sentenceFor(draft, given)}
          </p>
          <AlertPreview slug={slug} draft={draft} timeZone={timeZone} />
          {children}
        </div>
      </div>
    </StudioPickers>
  )
}

interface AlertFieldsProps extends Pick<AlertFormProps, 'draft' | 'members' | 'trends' | 'hindrances'> {
  onChange: (part: Partial<AlertDraft>) => void
}

function AlertFields({ draft, onChange, members, trends, hindrances }: AlertFieldsProps) {
  return (
    <>
      <Field label="Name">
        <TextInput
          value={draft.name}
          onChange={(event) => onChange({ name: event.target.value })}
          autoComplete="off"
        />
      </Field>
      <WatchedFields value={draft.watched} onChange={(watched) => onChange({ watched })} trends={trends} />
      <ConditionFields
        value={draft.condition}
        onChange={(condition) => onChange({ condition })}
        mayBeAbsent={draft.watched.type === 'event'}
      />
      <FormPart title="Notify">
        <RecipientFields
          value={draft.recipients}
          onChange={(recipients) => onChange({ recipients })}
          members={members}
          hindrances={hindrances}
          withWebhooks
        />
      </FormPart>
      <FormPart title="Schedule">
        <Field label="Check every">
          <Select
            options={checkIntervalOptions}
            value={draft.every}
            onChange={(every) => onChange({ every })}
          />
        </Field>
        <Field label="Notify at most" hint="While the alert keeps firing, a reminder is sent every day.">
          <Select
            options={coolDownOptions}
            value={String(draft.coolDownMinutes)}
            onChange={(minutes) => onChange({ coolDownMinutes: Number(minutes) })}
          />
        </Field>
      </FormPart>
    </>
  )
}

function sentenceFor(
  { recipients, watched, condition }: AlertDraft,
  { members, trends }: Pick<AlertFormProps, 'members' | 'trends'>,
): string {
  const recipientLabels = recipients.map((one) => recipientLabel(one, members))
  return alertSentence(recipientLabels, watchedLabel(watched, trends), condition)
}

function watchedLabel(watched: WatchedMetric, trends: readonly TrendChoice[]): string {
  if (watched.type === 'event') return eventWords(watched)
  const name = trends.find(({ id }) => id === watched.insight)?.name
  return name === undefined ? 'an insight' : `“${name}”`
}
