import { DoorSheet } from '../../../(studio)/studio/(door)/Door'
import { DoorForm } from '../../../(studio)/studio/(door)/DoorForm'
import { Field } from '../../../../ui/Field'
import { PasswordInput } from '../../../../ui/PasswordInput'
import { unlock } from './unlock'

/** Asks for the password; it works without script too. */
export function Unlock({ token }: { token: string }) {
  return (
    <main className="mx-auto flex min-h-dvh w-full max-w-md flex-col justify-center px-4 py-10">
      <DoorSheet title="A password is needed" description="Whoever gave you the link can tell you.">
        <DoorForm action={unlock.bind(null, token)} fields={['password']} submit="Open">
          <Field label="Password" name="password">
            <PasswordInput required />
          </Field>
        </DoorForm>
      </DoorSheet>
    </main>
  )
}
