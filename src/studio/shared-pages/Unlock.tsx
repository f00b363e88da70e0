import { AccessCard } from '#studio/sign-in/AccessPage'
import { AccessForm } from '#studio/sign-in/AccessForm'
import { Field } from '#ui/form/Field'
import { PasswordInput } from '#ui/form/PasswordInput'
import { unlock } from './unlock'

/** Asks for the password; it works without script too. */
export function Unlock({ token }: { token: string }) {
  return (
    <main className="mx-auto flex min-h-dvh w-full max-w-md flex-col justify-center px-4 py-10">
      <AccessCard title="This page is password protected" description="Ask the sender for the password.">
        <AccessForm action={unlock.bind(null, token)} fields={['password']} submit="Open">
          <Field label="Password" name="password">
            <PasswordInput required />
          </Field>
        </AccessForm>
      </AccessCard>
    </main>
  )
}
