'use client'

import { Field } from '#ui/form/Field'
import { PasswordInput } from '#ui/form/PasswordInput'
import { EmailInput } from '#app/(studio)/EmailInput'
import { AccessForm } from '../AccessForm'
import { signIn } from './sign-in'

export function SignInForm({ to }: { to: string }) {
  return (
    <AccessForm action={signIn} fields={['email', 'password']} submit="Sign in">
      <input type="hidden" name="to" value={to} />
      <Field label="E-mail" name="email">
        <EmailInput />
      </Field>
      <Field label="Password" name="password">
        <PasswordInput />
      </Field>
    </AccessForm>
  )
}
