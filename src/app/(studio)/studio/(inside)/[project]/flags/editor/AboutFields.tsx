'use client'

import { Combobox, MultiCombobox } from '../../../../../../../ui/Combobox'
import { Field } from '../../../../../../../ui/Field'
import { Textarea } from '../../../../../../../ui/Textarea'
import type { FlagDraft } from './draft'
import type { EditorGround } from './ground'

interface AboutProps {
  draft: FlagDraft
  onChange: (part: Partial<FlagDraft>) => void
  ground: Pick<EditorGround, 'members' | 'tags'>
}

const asOption = (value: string) => ({ value, label: value })

/** What it is for, and whom to ask. */
export function AboutFields({ draft, onChange, ground: { members, tags } }: AboutProps) {
  return (
    <div className="flex flex-col gap-4">
      <Field label="Description" optional>
        <Textarea
          rows={2}
          placeholder="What it turns on, and until when it is needed"
          value={draft.description}
          onChange={(description) => onChange({ description })}
        />
      </Field>
      <Field label="Owner">
        <Combobox
          placeholder="Nobody"
          options={members.map(asOption)}
          value={draft.owner || null}
          onChange={(owner) => onChange({ owner: owner ?? '' })}
          allowOther
        />
      </Field>
      <Field label="Tags" optional>
        <MultiCombobox
          placeholder="Add a tag"
          options={tags.map(asOption)}
          values={draft.tags}
          onChange={(next) => onChange({ tags: next })}
          allowOther
        />
      </Field>
    </div>
  )
}
