'use client'

import { type FormEvent, useId, useState } from 'react'
import { Button } from '#ui/Button'
import { Dialog, DialogClose } from '#ui/overlay/Dialog'
import { Field } from '#ui/form/Field'
import { Form } from '#ui/form/Form'
import { FormError } from '#ui/form/FormError'
import { PasswordInput } from '#ui/form/PasswordInput'
import { confirmByProvider, confirmPassword } from './confirm-password'
import type { PendingConfirmation } from './ConfirmPassword'
import { type SortedProblems, sortProblems } from './action-result'
import { withNetworkErrors } from './with-network-errors'

/** Asks for the password, or for another sign-in with the provider. */
export function ConfirmDialog({ asked }: { asked: PendingConfirmation | undefined }) {
  const id = useId()
  // not a transition: it would wait for the change that waits for it
  const [isPending, setPending] = useState(false)
  const hasPassword = asked?.ways.hasPassword ?? true

  return (
    <Dialog
      title="Confirm your identity"
      description={
        hasPassword ? 'Enter your password again to make this change.' : 'Sign in again to make this change.'
      }
      size="sm"
      open={asked !== undefined}
      onOpenChange={(next) => !next && asked?.answer(false)}
      footer={
        <>
          <DialogClose>
            <Button>Cancel</Button>
          </DialogClose>
          {hasPassword && (
            <Button type="submit" variant="primary" form={id} busy={isPending}>
              Confirm
            </Button>
          )}
        </>
      }
    >
      {hasPassword && <PasswordForm id={id} onGiven={() => asked?.answer(true)} setPending={setPending} />}
      {asked?.ways.provider && <ByProvider name={asked.ways.provider} hasPassword={hasPassword} />}
      {!hasPassword && !asked?.ways.provider && (
        <p>
          Your account has no password. Sign out, choose one under &quot;Forgot your password?&quot;, and sign
          in with it.
        </p>
      )}
    </Dialog>
  )
}

function ByProvider({ name, hasPassword }: { name: string; hasPassword: boolean }) {
  const [isPending, setPending] = useState(false)
  const [message, setMessage] = useState<string>()

  async function leave() {
    setPending(true)
    const outcome = await withNetworkErrors(() => confirmByProvider(location.pathname + location.search))
    if (outcome.done) return location.assign(outcome.address)
    setPending(false)
    setMessage(outcome.problems[0]?.message)
  }

  return (
    <div className={`flex flex-col items-start gap-3 ${hasPassword ? 'mt-5' : ''}`}>
      <p>
        {hasPassword
          ? `Or sign in with ${name} again.`
          : `You have no password. Sign in with ${name} again to confirm your identity.`}{' '}
        You return to this page and repeat the change.
      </p>
      {message && <FormError title={message} />}
      <Button busy={isPending} onClick={() => void leave()}>
        Sign in with {name} again
      </Button>
    </div>
  )
}

function PasswordForm({
  id,
  onGiven,
  setPending,
}: {
  id: string
  onGiven: () => void
  setPending: (isPending: boolean) => void
}) {
  const [{ errors, messages }, setSorted] = useState<SortedProblems>({ errors: {}, messages: [] })

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    // React passes what happens in a dialog on to the form that opened it
    event.stopPropagation()
    const formData = new FormData(event.currentTarget)
    setPending(true)
    const answer = await withNetworkErrors(() => confirmPassword(formData))
    setPending(false)
    if (answer.done) onGiven()
    else setSorted(sortProblems(answer.problems, (name) => formData.has(name)))
  }

  return (
    <Form id={id} errors={errors} onSubmit={(event) => void submit(event)}>
      <Field label="Your password" name="password" error={messages[0]}>
        <PasswordInput />
      </Field>
    </Form>
  )
}
