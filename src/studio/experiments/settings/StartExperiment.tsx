'use client'

import { Play } from 'lucide-react'
import { useState } from 'react'
import type { Experiment } from '#experiments/experiment'
import { TextLink } from '#ui/Anchor'
import { Button } from '#ui/Button'
import { Checkbox } from '#ui/form/Checkbox'
import { Field } from '#ui/form/Field'
import { Icon } from '#ui/Icon'
import { Notice } from '#ui/page/Notice'
import { TextInput } from '#ui/form/TextInput'
import { paths } from '#studio/paths'
import { ChangeDialog } from '#studio/parts/ChangeDialog'
import { startExperiment } from '../actions'

interface StartExperimentProps {
  slug: string
  experiment: Pick<Experiment, 'id' | 'name' | 'kind' | 'flag' | 'metrics'>
  /** In production. */
  isFlagOn: boolean
  whyNot: string | undefined
}

/** Says that the experiment is a draft, and starts it. */
export function StartExperiment({ slug, experiment, isFlagOn, whyNot }: StartExperimentProps) {
  const { id, name, kind, flag, metrics } = experiment
  const [turnsOn, setTurnsOn] = useState(false)
  const [since, setSince] = useState('')
  const isRollout = kind === 'rollout'
  const missing = metrics.some(({ role }) => role === (isRollout ? 'guardrail' : 'primary'))
    ? undefined
    : `Add a ${isRollout ? 'guardrail' : 'primary metric'} first.`
  return (
    <Notice
      title={`This ${isRollout ? 'rollout' : 'experiment'} is a draft`}
      action={
        <ChangeDialog
          title={`Start ${name}?`}
          description={
            isRollout
              ? 'The first step begins at once, and turns the flag on in production. The steps cannot change afterwards.'
              : 'Exposures count from the start on. Who is exposed cannot change afterwards.'
          }
          trigger={
            <Button variant="primary" icon={<Icon of={Play} />} disabledReason={whyNot ?? missing}>
              Start…
            </Button>
          }
          onOpen={() => {
            setTurnsOn(false)
            setSince('')
          }}
          change={() =>
            startExperiment(slug, id, {
              ...(since !== '' && { at: new Date(since).toISOString() }),
              ...(turnsOn && { turnsFlagOn: true }),
            })
          }
          saved={`${name} is running`}
          submit={isRollout ? 'Start rollout' : 'Start experiment'}
          incomplete={isFlagOn || turnsOn || isRollout ? undefined : 'The flag must be on in production.'}
        >
          {!isFlagOn && !isRollout && (
            <>
              <Notice tone="warning" title="The flag is off in production">
                No one gets a variant until it is on. <FlagLink slug={slug} flag={flag} /> shows who would get
                one.
              </Notice>
              <Checkbox label="Turn the flag on in production" checked={turnsOn} onChange={setTurnsOn} />
            </>
          )}
          {kind === 'fixed' && <SinceField since={since} onChange={setSince} />}
        </ChangeDialog>
      }
    >
      {missing === undefined
        ? 'It counts nothing until you start it.'
        : `It counts nothing until you start it. ${missing}`}
    </Notice>
  )
}

const SinceField = ({ since, onChange }: { since: string; onChange: (since: string) => void }) => (
  <Field
    label="Count exposures since"
    optional
    hint="Leave it empty to start now; a time in the past takes in exposures since then."
  >
    <TextInput type="datetime-local" value={since} onChange={({ target }) => onChange(target.value)} />
  </Field>
)

const FlagLink = ({ slug, flag }: { slug: string; flag: string }) => (
  <TextLink href={paths.flag(slug, flag)}>
    <span className="font-mono">{flag}</span>
  </TextLink>
)
