'use client'

import { Field } from '#ui/form/Field'
import { Panel } from '#ui/page/Panel'
import { RadioGroup } from '#ui/form/RadioGroup'
import { TextInput } from '#ui/form/TextInput'
import { matchText } from './match-text'
import type { NumberPeople } from './people-of-number'

/** The cohort that is made together with what is for its persons. */
export interface NumberCohortDraft {
  q: string
  point: string
  name: string
  isLive: boolean
}

export const numberCohortDraft = ({ q, point, name, canBeLive }: NumberPeople): NumberCohortDraft => ({
  q,
  point,
  name,
  isLive: canBeLive,
})

/** Says how many people a form is about, and names the cohort that they become. */
export function NumberAudience({
  people: { total, canBeLive },
  value,
  onChange,
  error,
}: {
  people: NumberPeople
  value: NumberCohortDraft
  onChange: (next: NumberCohortDraft) => void
  error?: string
}) {
  return (
    <Panel title="For these people" footer={matchText(total)}>
      <div className="flex flex-col gap-4">
        <Field label="Cohort name" error={error} hint="A cohort of these people is created with it.">
          <TextInput
            value={value.name}
            autoComplete="off"
            onChange={({ target }) => onChange({ ...value, name: target.value })}
          />
        </Field>
        {canBeLive && (
          <RadioGroup
            label="People"
            value={value.isLive ? 'live' : 'now'}
            onChange={(next) => onChange({ ...value, isLive: next === 'live' })}
            options={[
              { value: 'live', label: 'Everyone who matches, later ones too' },
              { value: 'now', label: 'Only those who match now' },
            ]}
          />
        )}
      </div>
    </Panel>
  )
}
