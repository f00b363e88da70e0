'use client'

import {
  type FormEvent,
  type ReactNode,
  startTransition as inTransition,
  useState,
  useTransition,
} from 'react'
import { FormError } from '#ui/form/FormError'
import { useNavigation } from '#ui/navigation/Navigation'
import { useToast } from '#ui/overlay/Toast'
import { useHideRow } from '#ui/table/OptimisticRow'
import { usePasswordConfirmation } from './ConfirmPassword'
import { type ActionResult, type SortedProblems, sortProblems } from './action-result'

export interface ChangeSettings<Done> {
  change: (form: FormData) => Promise<ActionResult<Done>>
  saved?: string
  onDone?: (done: Done) => void
}

const noSortedProblems: SortedProblems = { errors: {}, messages: [] }

/**
 * A change made by a form: what the form is given, whether the server is at it, and what it had to say.
 *
 * @example
 * const { form, isPending, notes } = useChange({ change: (formData) => createKey(slug, formData), saved: 'Key created' })
 * return <FormDialog title="New key" submit="Create" form={form} isPending={isPending}>{notes}…</FormDialog>
 */
export function useChange<Done>({ change, saved, onDone }: ChangeSettings<Done>) {
  const showToast = useToast()
  const { withConfirmation, question } = usePasswordConfirmation()
  const [{ errors, messages }, setSorted] = useState(noSortedProblems)
  const [isPending, startTransition] = useTransition()

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    event.stopPropagation()
    const { elements } = event.currentTarget
    const formData = new FormData(event.currentTarget)
    if (isPending) return
    startTransition(async () => {
      const answer = await withConfirmation(() => change(formData))
      setSorted(
        answer.done
          ? noSortedProblems
          : sortProblems(answer.problems, (name) => elements.namedItem(name) !== null),
      )
      if (!answer.done) return
      if (saved) showToast({ title: saved, tone: 'success' })
      onDone?.(answer)
    })
  }

  return {
    form: { errors, onSubmit: submit },
    isPending,
    notes: <ChangeMessages messages={messages}>{question}</ChangeMessages>,
    /** Resets the state for a dialog that opens again. */
    forget: () => setSorted(noSortedProblems),
  }
}

function ChangeMessages({ messages, children }: { messages: string[]; children: ReactNode }) {
  return (
    <>
      {messages.map((message) => (
        <FormError key={message} title={message} />
      ))}
      {children}
    </>
  )
}

interface DirectChangeSettings<Done> {
  saved?: string
  /** The way back, where there is a cheap one. */
  undo?: () => void
  /** Whether it takes the row it was made in out of its list, which is shown at once. */
  leavesList?: boolean
  onDone?: (done: Done) => void
}

/** A change made without a form: by a menu, a select, the answer to a question. */
export function useDirectChange() {
  const showToast = useToast()
  const { withConfirmation, question } = usePasswordConfirmation()
  const { showWhile } = useNavigation()
  const hideRow = useHideRow()

  /** Answers like a question's `onConfirm`: nothing when it was done, else what stood in the way. */
  async function make<Done>(
    change: () => Promise<ActionResult<Done>>,
    { saved, undo, onDone, leavesList }: DirectChangeSettings<Done>,
  ): Promise<{ error: string; fields: (string | undefined)[] } | undefined> {
    // not while a dialog asks for the password: the server is not busy then
    const confirmed = () => withConfirmation(() => showWhile(change()))
    const changed = confirmed()
    if (leavesList) showUntil(changed, () => hideRow?.())
    const answer = await changed
    if (!answer.done)
      return {
        error: answer.problems.map(({ message }) => message).join(' '),
        fields: answer.problems.map(({ field }) => field),
      }
    if (saved) showToast({ title: saved, tone: 'success', action: undo && { label: 'Undo', onSelect: undo } })
    onDone?.(answer)
    return undefined
  }

  return { make, question }
}

/** Shows what a change will lead to until the server has answered; where it fails, the page is as it was. */
function showUntil(changed: Promise<unknown>, show: () => void): void {
  inTransition(async () => {
    show()
    await changed.catch(() => {})
  })
}
