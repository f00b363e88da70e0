'use client'

import { useState } from 'react'
import { Field } from '#ui/form/Field'
import { TextInput } from '#ui/form/TextInput'
import { EmailInput } from '#studio/parts/EmailInput'
import { ChangeForm, Submit } from '#studio/parts/ChangeForm'
import { NewPassword } from '#studio/sign-in/NewPassword'
import { changeAccount, changePassword } from './account'

export function NameForm({ name }: { name: string }) {
  return (
    <ChangeForm change={changeAccount} saved="Name saved">
      <Field label="Your name" name="name">
        <TextInput defaultValue={name} autoComplete="name" />
      </Field>
      <div>
        <Submit variant="secondary">Save name</Submit>
      </div>
    </ChangeForm>
  )
}

export function EmailForm({ email }: { email: string }) {
  return (
    <ChangeForm change={changeAccount} saved="E-mail saved">
      <Field label="Your e-mail" name="email">
        <EmailInput defaultValue={email} autoComplete="email" />
      </Field>
      <div>
        <Submit variant="secondary">Save e-mail</Submit>
      </div>
    </ChangeForm>
  )
}

/** The fields are reset after a change. */
export function PasswordForm({ context }: { context: readonly string[] }) {
  const [times, setTimes] = useState(0)

  return (
    <ChangeForm
      key={times}
      change={changePassword}
      saved="Password changed, other sessions ended"
      onDone={() => setTimes(times + 1)}
    >
      <NewPassword label="New password" context={context} />
      <div>
        <Submit variant="secondary">Change password</Submit>
      </div>
    </ChangeForm>
  )
}
