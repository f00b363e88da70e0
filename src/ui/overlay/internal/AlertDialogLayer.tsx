'use client'

import { AlertDialog as Base } from '@base-ui/react/alert-dialog'
import { type RefObject, useState, useTransition } from 'react'
import { Button } from '../../Button'
import { Field } from '../../form/Field'
import type { AlertDialogProps } from '../AlertDialog'
import { backdropClass, dialogClass } from './floating'
import { TextInput } from '../../form/TextInput'

/** The layer of an AlertDialog. */
export function AlertDialogLayer({
  open,
  onOpenChange,
  finalFocus,
  ...content
}: Omit<AlertDialogProps, 'trigger' | 'open' | 'onOpenChange'> & {
  open: boolean
  onOpenChange: (open: boolean) => void
  finalFocus?: RefObject<HTMLElement | null>
}) {
  return (
    <Base.Root open={open} onOpenChange={onOpenChange}>
      <Base.Portal>
        <Base.Backdrop className={backdropClass} />
        <Base.Viewport className="fixed inset-0 z-float grid place-items-center p-4">
          <Base.Popup finalFocus={finalFocus} className={`${dialogClass} max-w-md`}>
            <AlertDialogContent {...content} close={() => onOpenChange(false)} />
          </Base.Popup>
        </Base.Viewport>
      </Base.Portal>
    </Base.Root>
  )
}

type AlertDialogContentProps = Omit<AlertDialogProps, 'trigger' | 'open' | 'onOpenChange'> & {
  close: () => void
}

function AlertDialogContent({
  title,
  body,
  typeToConfirm,
  onConfirm,
  close,
  ...labels
}: AlertDialogContentProps) {
  const [typed, setTyped] = useState('')
  const [error, setError] = useState<string>()
  const [isPending, startTransition] = useTransition()
  const isTyped = !typeToConfirm || typed.trim() === typeToConfirm

  const confirm = () =>
    startTransition(async () => {
      const outcome = await onConfirm()
      if (outcome) setError(outcome.error)
      else close()
    })

  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (isTyped && !isPending) confirm()
      }}
    >
      <div className="flex flex-col gap-2 px-5 pt-4.5 pb-5">
        <Base.Title className="text-lg font-semibold">{title}</Base.Title>
        <Base.Description render={<div />} className="text-muted">
          {body}
        </Base.Description>
        {typeToConfirm && <TypeToConfirm expected={typeToConfirm} typed={typed} onType={setTyped} />}
        {error && (
          <p role="alert" className="mt-1 text-danger-ink">
            {error}
          </p>
        )}
      </div>
      <Answers {...labels} isPending={isPending} missing={isTyped ? undefined : typeToConfirm} />
    </form>
  )
}

function TypeToConfirm({
  expected,
  typed,
  onType,
}: {
  expected: string
  typed: string
  onType: (typed: string) => void
}) {
  return (
    <div className="mt-2">
      <Field
        label={
          <>
            Type <b className="font-semibold">{expected}</b> to confirm
          </>
        }
      >
        <TextInput
          value={typed}
          onChange={(event) => onType(event.target.value)}
          autoComplete="off"
          spellCheck={false}
        />
      </Field>
    </div>
  )
}

function Answers({
  confirmLabel,
  cancelLabel = 'Cancel',
  destructive = true,
  isPending,
  missing,
}: Pick<AlertDialogProps, 'confirmLabel' | 'cancelLabel' | 'destructive'> & {
  isPending: boolean
  missing?: string
}) {
  return (
    <footer className="flex flex-wrap justify-end gap-2 border-t border-line px-5 py-3.5">
      <Base.Close render={<Button>{cancelLabel}</Button>} />
      <Button
        type="submit"
        variant={destructive ? 'danger' : 'primary'}
        busy={isPending}
        disabledReason={missing && `Type ${missing} first`}
      >
        {confirmLabel}
      </Button>
    </footer>
  )
}
