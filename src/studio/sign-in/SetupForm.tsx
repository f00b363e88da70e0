'use client'

import { useState } from 'react'
import { slugFrom } from '#projects/slug'
import { Field } from '#ui/form/Field'
import { TextInput } from '#ui/form/TextInput'
import { EmailInput } from '#studio/parts/EmailInput'
import { paths } from '#studio/paths'
import { SiteAddressField } from '#studio/parts/SiteAddressField'
import { TimeZoneField } from '#studio/parts/TimeZoneField'
import { NewPassword } from './NewPassword'
import { AccessForm } from './AccessForm'
import { setUp } from './set-up'

const fields = ['code', 'name', 'email', 'password', 'project', 'siteAddress', 'timeZone']

export function SetupForm() {
  const [name, setName] = useState('')
  const [email, setEmail] = useState('')
  const [project, setProject] = useState('')

  return (
    <AccessForm action={setUp} fields={fields} submit="Set up Tilth">
      <Field label="Set-up code" name="code" hint="Twelve letters and digits. Dashes and case do not matter.">
        <TextInput
          mono
          // the page has no other task than this form, which begins with the code
          // oxlint-disable-next-line jsx-a11y/no-autofocus
          autoFocus
          autoComplete="one-time-code"
          autoCapitalize="characters"
          spellCheck={false}
        />
      </Field>
      <hr className="border-line" />
      <Field label="Your name" name="name">
        <TextInput autoComplete="name" onChange={(event) => setName(event.target.value)} />
      </Field>
      <Field label="Your e-mail" name="email" hint="For signing in.">
        <EmailInput onChange={(event) => setEmail(event.target.value)} />
      </Field>
      <NewPassword context={[email, name]} />
      <hr className="border-line" />
      <Field
        label="First project"
        name="project"
        hint={
          project.trim()
            ? `URL: ${paths.project(slugFrom(project))}`
            : 'Such as the name of your site or product.'
        }
      >
        <TextInput autoComplete="organization" onChange={(event) => setProject(event.target.value)} />
      </Field>
      <SiteAddressField />
      <TimeZoneField />
    </AccessForm>
  )
}
