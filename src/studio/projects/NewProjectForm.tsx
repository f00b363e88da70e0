'use client'

import { useState } from 'react'
import { slugFrom } from '#projects/slug'
import { Field } from '#ui/form/Field'
import { TextInput } from '#ui/form/TextInput'
import { ChangeForm, Submit } from '#studio/parts/ChangeForm'
import { SiteAddressField } from '#studio/parts/SiteAddressField'
import { TimeZoneField } from '#studio/parts/TimeZoneField'
import { createProject } from './create-project'

/** Derives the address part from the name until the member edits it. */
export function NewProjectForm() {
  const [name, setName] = useState('')
  const [ownSlug, setOwnSlug] = useState<string>()
  const slug = ownSlug ?? (name.trim() ? slugFrom(name) : '')

  return (
    <ChangeForm change={createProject} saved="Project created">
      <Field label="Name" name="name">
        <TextInput autoComplete="off" onChange={(event) => setName(event.target.value)} />
      </Field>
      <Field label="URL slug" name="slug" hint="Part of the studio’s URLs. You can change it later.">
        <TextInput
          prefix="/studio/"
          spellCheck={false}
          autoComplete="off"
          value={slug}
          onChange={(event) => setOwnSlug(event.target.value || undefined)}
        />
      </Field>
      <SiteAddressField />
      <TimeZoneField />
      <div>
        <Submit>Create project</Submit>
      </div>
    </ChangeForm>
  )
}
