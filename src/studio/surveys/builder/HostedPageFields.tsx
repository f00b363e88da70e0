'use client'

import { CopyField } from '#ui/copy/CopyField'
import { Checkbox } from '#ui/form/Checkbox'
import { Field } from '#ui/form/Field'
import { Panel } from '#ui/page/Panel'
import { Switch } from '#ui/form/Switch'
import { TextInput } from '#ui/form/TextInput'
import type { DraftFieldsProps } from './AudienceFields'
import { useProblem } from './BuilderContext'

/** Edits the survey's own address: whether it is open, who may embed it, and its PIN. */
export function HostedPageFields({
  draft,
  onChange,
  link,
  hasPin,
}: DraftFieldsProps & { link: string; hasPin: boolean }) {
  const { hostedPage } = draft
  const put = (part: Partial<SurveyHostedDraft>) => onChange({ hostedPage: { ...hostedPage, ...part } })
  return (
    <Panel title="Hosted page" description="The survey at its own URL, in addition to its placement.">
      <div className="flex flex-col gap-4">
        <Switch label="Open" checked={hostedPage.isOpen} onChange={(next) => put({ isOpen: next })} />
        {hostedPage.isOpen && (
          <>
            <CopyField
              label="Link"
              value={link}
              hint="Available after launch. Set hidden fields as in ?plan=pro."
            />
            <Checkbox
              label="Allow embedding on other sites"
              checked={hostedPage.mayBeEmbedded}
              onChange={(mayBeEmbedded) => put({ mayBeEmbedded })}
            />
            <Checkbox
              label="Personal links only"
              hint="Create links under Share. Each takes one response."
              checked={hostedPage.needsLink}
              onChange={(needsLink) => put({ needsLink })}
            />
            <PinField pin={hostedPage.pin} hasPin={hasPin} onChange={(pin) => put({ pin })} />
          </>
        )}
      </div>
    </Panel>
  )
}

type SurveyHostedDraft = DraftFieldsProps['draft']['hostedPage']

function PinField({
  pin,
  hasPin,
  onChange,
}: {
  pin: string | null | undefined
  hasPin: boolean
  onChange: (pin: string | null | undefined) => void
}) {
  const problem = useProblem('hostedPage.pin')
  return (
    <div className="flex flex-col gap-2">
      <div className="max-w-56">
        <Field
          label={hasPin ? 'New PIN' : 'PIN'}
          optional
          hint={hasPin ? 'Leave empty to keep the current PIN.' : '4 to 32 letters and digits.'}
          {...problem}
        >
          <TextInput
            autoComplete="off"
            value={pin ?? ''}
            onChange={({ target }) => onChange(target.value === '' ? undefined : target.value)}
          />
        </Field>
      </div>
      {hasPin && (
        <Checkbox
          label="Remove PIN"
          checked={pin === null}
          onChange={(isGone) => onChange(isGone ? null : undefined)}
        />
      )}
    </div>
  )
}
