'use client'

import { useState } from 'react'
import { slugFrom } from '../../../../../../projects/slug'
import { Field } from '../../../../../../ui/Field'
import { TextInput } from '../../../../../../ui/TextInput'
import { ChangeForm, Submit } from '../../../../Change'
import { TimeZoneField } from '../../../../TimeZoneField'
import { createProject } from './create-project'

/** The address part follows the name until somebody gives it a mind of its own. */
export function NewProjectForm() {
  const [name, setName] = useState('')
  const [ownSlug, setOwnSlug] = useState<string>()
  const slug = ownSlug ?? (name.trim() ? slugFrom(name) : '')

  return (
    <ChangeForm change={createProject} saved="Project created">
      <Field label="Name" name="name">
        <TextInput autoComplete="off" onChange={(event) => setName(event.target.value)} />
      </Field>
      <Field label="Address part" name="slug" hint="Where the studio shows it. It can be changed later.">
        <TextInput
          prefix="/studio/"
          spellCheck={false}
          autoComplete="off"
          value={slug}
          onChange={(event) => setOwnSlug(event.target.value || undefined)}
        />
      </Field>
      <TimeZoneField />
      <div>
        <Submit>Create project</Submit>
      </div>
    </ChangeForm>
  )
}
