'use client'

import type { EarlyAccess } from '../../../../../../../flags/flag'
import { Field } from '../../../../../../../ui/Field'
import { Select } from '../../../../../../../ui/Select'
import { Switch } from '../../../../../../../ui/Switch'
import { Textarea } from '../../../../../../../ui/Textarea'
import { TextInput } from '../../../../../../../ui/TextInput'
import type { FlagDraft } from './draft'

const stages: { value: EarlyAccess['stage']; label: string }[] = [
  { value: 'concept', label: 'Concept' },
  { value: 'alpha', label: 'Alpha' },
  { value: 'beta', label: 'Beta' },
  { value: 'general-availability', label: 'General availability' },
]

/** People may take part by themselves, in a list that the site shows them. */
export function EarlyAccessFields({
  draft: { earlyAccess, key },
  onChange,
}: {
  draft: Pick<FlagDraft, 'earlyAccess' | 'key'>
  onChange: (part: Partial<FlagDraft>) => void
}) {
  const put = (part: Partial<EarlyAccess>) =>
    earlyAccess && onChange({ earlyAccess: { ...earlyAccess, ...part } })
  const begin = (): EarlyAccess => ({ name: key, description: '', stage: 'beta', documentationUrl: '' })

  return (
    <div className="flex flex-col gap-4">
      <Switch
        place="end"
        label="People may take part"
        hint="Whoever says yes gets it, whoever says no does not, before any condition."
        checked={earlyAccess !== undefined}
        onChange={(isOn) => onChange({ earlyAccess: isOn ? begin() : undefined })}
      />
      {earlyAccess && (
        <>
          <Field label="Name">
            <TextInput value={earlyAccess.name} onChange={({ target }) => put({ name: target.value })} />
          </Field>
          <Field label="Stage">
            <Select options={stages} value={earlyAccess.stage} onChange={(stage) => put({ stage })} />
          </Field>
          <Field label="What it is" optional>
            <Textarea
              rows={2}
              value={earlyAccess.description}
              onChange={(text) => put({ description: text })}
            />
          </Field>
          <Field label="Address of its documentation" optional>
            <TextInput
              type="url"
              placeholder="https://"
              value={earlyAccess.documentationUrl}
              onChange={({ target }) => put({ documentationUrl: target.value })}
            />
          </Field>
        </>
      )}
    </div>
  )
}
