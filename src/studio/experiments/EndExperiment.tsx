'use client'

import { Square } from 'lucide-react'
import { Button } from '#ui/Button'
import { Field } from '#ui/form/Field'
import { RadioGroup } from '#ui/form/RadioGroup'
import { Textarea } from '#ui/form/Textarea'
import { TextInput } from '#ui/form/TextInput'
import { Icon } from '#ui/Icon'
import { ChangeDialog } from '#studio/parts/ChangeDialog'
import { asText } from '#studio/parts/form-data'
import { endExperiment } from './actions'

interface EndExperimentProps {
  slug: string
  id: string
  name: string
  /** Whether its flag can go back to what it was before the ramp. */
  isRollout?: boolean
  whyNot: string | undefined
}

/** Ends the experiment without a winner, or a rollout before its last step. */
export function EndExperiment({ slug, id, name, isRollout = false, whyNot }: EndExperimentProps) {
  const { noun, description, noteHint } = isRollout ? rolloutTexts : experimentTexts
  return (
    <ChangeDialog
      title={`End the ${noun}`}
      description={description}
      change={(form) =>
        endExperiment(slug, id, {
          note: asText(form.get('note')),
          ...(isRollout
            ? { rollsBack: form.get('flag') === 'back' }
            : { outcome: asText(form.get('outcome')), ...endOf(asText(form.get('at'))) }),
        })
      }
      saved={`${name} has ended`}
      trigger={
        <Button icon={<Icon of={Square} />} disabledReason={whyNot}>
          {`End ${noun}…`}
        </Button>
      }
      submit={`End the ${noun}`}
    >
      {isRollout ? (
        <FlagAfterwards />
      ) : (
        <>
          <OutcomeField />
          <Field
            label="Count exposures until"
            name="at"
            optional
            hint="Leave it empty to end now; a time in the past leaves out exposures since then."
          >
            <TextInput name="at" type="datetime-local" />
          </Field>
        </>
      )}
      <Field label="Why" name="note" optional hint={noteHint}>
        <Textarea name="note" rows={3} />
      </Field>
    </ChangeDialog>
  )
}

const endOf = (at: string) => (at === '' ? {} : { at: new Date(at).toISOString() })

const experimentTexts = {
  noun: 'experiment',
  description:
    'Exposures and events count until now. The flag stays as it is: visitors keep their variants until you change it.',
  noteHint: 'It is kept as the conclusion of the experiment.',
}

const rolloutTexts = {
  noun: 'rollout',
  description: 'Exposures and events count until now, and no further step is taken.',
  noteHint: 'It is kept as the conclusion of the rollout.',
}

const FlagAfterwards = () => (
  <RadioGroup
    label="The flag"
    name="flag"
    defaultValue="back"
    options={[
      { value: 'back', label: 'Roll back', hint: 'The flag is again as it was before the first step.' },
      { value: 'stays', label: 'Keep', hint: 'The share of the current step stays.' },
    ]}
  />
)

const OutcomeField = () => (
  <RadioGroup
    label="Outcome"
    name="outcome"
    defaultValue="stopped"
    options={[
      { value: 'stopped', label: 'Stopped', hint: 'No variant is worth shipping.' },
      { value: 'undecided', label: 'Undecided', hint: 'The results do not tell.' },
    ]}
  />
)
