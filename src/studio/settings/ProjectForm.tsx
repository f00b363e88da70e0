'use client'

import { Field } from '#ui/form/Field'
import { TextInput } from '#ui/form/TextInput'
import { ChangeForm, Submit } from '#studio/parts/ChangeForm'
import { SiteAddressField } from '#studio/parts/SiteAddressField'
import { TimeZoneField } from '#studio/parts/TimeZoneField'
import { changeProject } from './general'

interface ProjectFormProps {
  project: { slug: string; name: string; timeZone: string; siteAddress: string }
  whyNot?: string
}

export function ProjectForm({ project: { slug, name, timeZone, siteAddress }, whyNot }: ProjectFormProps) {
  const isFixed = whyNot !== undefined

  return (
    <ChangeForm change={(form) => changeProject(slug, form)} saved="Project saved">
      <Field label="Name" name="name">
        <TextInput defaultValue={name} readOnly={isFixed} autoComplete="off" />
      </Field>
      <Field label="URL slug" name="slug" hint="Changing it breaks links to the old URL.">
        <TextInput
          prefix="/studio/"
          defaultValue={slug}
          readOnly={isFixed}
          spellCheck={false}
          autoComplete="off"
        />
      </Field>
      <SiteAddressField value={siteAddress} readOnly={isFixed} />
      <TimeZoneField value={timeZone} disabled={isFixed} />
      <div>
        <Submit disabledReason={whyNot}>Save</Submit>
      </div>
    </ChangeForm>
  )
}
