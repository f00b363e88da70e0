'use client'

import { useState } from 'react'
import { Combobox, MultiCombobox } from '#ui/form/Combobox'
import { Field } from '#ui/form/Field'
import { Textarea } from '#ui/form/Textarea'
import { TextInput } from '#ui/form/TextInput'

/** The name and folder of a saved insight. */
export interface SavedInsightFields {
  id: string
  name: string
  description: string
  folder: string
  tags: readonly string[]
}

/** The name and folder fields of an insight, within its form. */
export function InsightFields({
  start,
  folders,
  tags,
}: {
  start: Omit<SavedInsightFields, 'id'>
  folders: readonly string[]
  tags: readonly string[]
}) {
  const [folder, setFolder] = useState(start.folder || null)
  const [chosen, setChosen] = useState([...start.tags])

  return (
    <>
      <Field label="Name" name="name" hint="Such as “Sign-ups by week”.">
        <TextInput
          autoComplete="off"
          defaultValue={start.name}
          maxLength={80}
          // a suggestion is replaced by what is typed
          onFocus={({ currentTarget }) => {
            if (currentTarget.value === start.name) currentTarget.select()
          }}
        />
      </Field>
      <Field label="Description" name="description" optional>
        <Textarea defaultValue={start.description} maxLength={1000} rows={2} />
      </Field>
      <Field label="Folder" name="folder" optional>
        <Combobox
          placeholder="None"
          options={folders.map((value) => ({ value, label: value }))}
          value={folder}
          onChange={setFolder}
          allowOther
        />
      </Field>
      <input type="hidden" name="folder" value={folder ?? ''} />
      <Field label="Tags" optional>
        <MultiCombobox
          placeholder="Type and press Enter"
          options={tags.map((value) => ({ value, label: value }))}
          values={chosen}
          onChange={setChosen}
          allowOther
        />
      </Field>
      <input type="hidden" name="tags" value={JSON.stringify(chosen)} />
    </>
  )
}
