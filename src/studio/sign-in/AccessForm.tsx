'use client'

import { type FormEvent, type ReactNode, useActionState, useState, useTransition } from 'react'
import { Button } from '#ui/Button'
import { Form } from '#ui/form/Form'
import { FormError } from '#ui/form/FormError'
import { type ActionResult, sortProblems } from '#studio/parts/action-result'
import { withNetworkErrors } from '#studio/parts/with-network-errors'

/** A form for signed-out people. It works before scripts are loaded, and without them. */
export function AccessForm({
  action,
  fields,
  submit,
  children,
}: {
  action: (previous: ActionResult | undefined, form: FormData) => Promise<ActionResult>
  /** The names of its fields; other problems are shown at the top. */
  fields: readonly string[]
  /** The verb on its button. */
  submit: string
  children: ReactNode
}) {
  const [posted, post] = useActionState(action, undefined)
  const sort = (answer: ActionResult | undefined) =>
    sortProblems(answer?.done === false ? answer.problems : [], (name) => fields.includes(name))
  const [{ errors, messages }, setSorted] = useState(() => sort(posted))
  const [isPending, startTransition] = useTransition()

  function send(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const formData = new FormData(event.currentTarget)
    startTransition(async () => setSorted(sort(await withNetworkErrors(() => action(undefined, formData)))))
  }

  return (
    <Form action={post} onSubmit={send} errors={errors}>
      {messages.map((message) => (
        <FormError key={message} title={message} />
      ))}
      {children}
      <Button type="submit" variant="primary" size="lg" wide busy={isPending}>
        {submit}
      </Button>
    </Form>
  )
}
