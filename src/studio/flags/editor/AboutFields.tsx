'use client'

import { Combobox, MultiCombobox } from '#ui/form/Combobox'
import { Field } from '#ui/form/Field'
import { Textarea } from '#ui/form/Textarea'
import type { FlagDraft } from './draft'
import type { EditorChoices } from './editor-choices'

interface AboutFieldsProps {
  draft: FlagDraft
  onChange: (part: Partial<FlagDraft>) => void
  choices: Pick<EditorChoices, 'members' | 'tags'>
}

const asOption = (value: string) => ({ value, label: value })

/** Description, owner and tags of a flag. */
export function AboutFields({ draft, onChange, choices: { members, tags } }: AboutFieldsProps) {
  return (
    <div className="flex flex-col gap-4">
      <Field label="Description" optional>
        <Textarea
          rows={2}
          placeholder="What it controls, and when it can be removed"
          value={draft.description}
          onChange={(description) => onChange({ description })}
        />
      </Field>
      <Field label="Owner">
        <Combobox
          placeholder="No owner"
          options={members.map(asOption)}
          value={draft.owner || null}
          onChange={(owner) => onChange({ owner: owner ?? '' })}
          allowOther
        />
      </Field>
      <Field label="Tags" optional>
        <MultiCombobox
          placeholder="Add tag"
          options={tags.map(asOption)}
          values={draft.tags}
          onChange={(next) => onChange({ tags: next })}
          allowOther
        />
      </Field>
    </div>
  )
}
