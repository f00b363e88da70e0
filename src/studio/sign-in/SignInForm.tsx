'use client'

import { Field } from '#ui/form/Field'
import { PasswordInput } from '#ui/form/PasswordInput'
import { EmailInput } from '#studio/parts/EmailInput'
import { AccessForm } from './AccessForm'
import { signIn } from './sign-in'

export function SignInForm({ to }: { to: string }) {
  return (
    <AccessForm action={signIn} fields={['email', 'password']} submit="Sign in">
      <input type="hidden" name="to" value={to} />
      <Field label="E-mail" name="email">
        {/* the page has no other task than this form */}
        {/* oxlint-disable-next-line jsx-a11y/no-autofocus */}
        <EmailInput autoFocus />
      </Field>
      <Field label="Password" name="password">
        <PasswordInput />
      </Field>
    </AccessForm>
  )
}
