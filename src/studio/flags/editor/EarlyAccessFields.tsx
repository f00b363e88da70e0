'use client'

import type { EarlyAccess } from '#flags/flag'
import { Field } from '#ui/form/Field'
import { Select } from '#ui/form/Select'
import { Switch } from '#ui/form/Switch'
import { Textarea } from '#ui/form/Textarea'
import { TextInput } from '#ui/form/TextInput'
import type { FlagDraft } from './draft'

const stages: { value: EarlyAccess['stage']; label: string }[] = [
  { value: 'concept', label: 'Concept' },
  { value: 'alpha', label: 'Alpha' },
  { value: 'beta', label: 'Beta' },
  { value: 'general-availability', label: 'General availability' },
]

/** Early access feature by themselves, in a list that the site shows them. */
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
        label="Early access feature"
        hint="People can opt in or out. Their choice overrides the conditions."
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
          <Field label="Description" optional>
            <Textarea
              rows={2}
              value={earlyAccess.description}
              onChange={(text) => put({ description: text })}
            />
          </Field>
          <Field label="Documentation URL" optional>
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
