'use client'

import { clsx } from 'clsx'
import { CircleAlert, CircleCheck, X } from 'lucide-react'
import { createContext, type ReactNode, use, useCallback, useEffect, useState } from 'react'
import { Icon } from '../Icon'
import { buttonClass } from '../keyboard/button-style'

type ToastMessage = {
  /** The event, in the past tense: "Flag archived". */
  title: string
  body?: ReactNode
  tone?: 'plain' | 'success' | 'danger'
  /** The way back, or on: Undo. */
  action?: { label: string; onSelect: () => void }
}

type ShownToast = ToastMessage & { id: number }

const shownForMs = { alone: 5000, withAction: 10_000 }
const atMost = 4

const ToastContext = createContext<((message: ToastMessage) => void) | undefined>(undefined)

/**
 * Once, around everything that may speak. It is part of every page: a message that the server does not answer must not
 * need the server.
 */
export function ToastProvider({ children }: { children: ReactNode }) {
  const [{ toasts }, setToasts] = useState<{ toasts: ShownToast[]; next: number }>({ toasts: [], next: 1 })
  const show = useCallback(
    (message: ToastMessage) =>
      setToasts(({ toasts: shown, next }) => ({
        toasts: [...shown, { ...message, id: next }].slice(-atMost),
        next: next + 1,
      })),
    [],
  )
  const close = useCallback(
    (id: number) =>
      setToasts(({ toasts: shown, next }) => ({ toasts: shown.filter((toast) => toast.id !== id), next })),
    [],
  )

  return (
    <ToastContext value={show}>
      {children}
      <section
        aria-label="Notifications"
        aria-live="polite"
        aria-relevant="additions"
        className="fixed inset-x-4 bottom-4 z-toast flex flex-col gap-2 sm:left-auto sm:w-88"
      >
        {toasts.map((toast) => (
          <Toast key={toast.id} {...toast} close={close} />
        ))}
      </section>
    </ToastContext>
  )
}

/** Says in a corner that something was done: `say({ title: 'Flag archived', action: { label: 'Undo', onSelect } })`. */
export function useToast(): (message: ToastMessage) => void {
  const show = use(ToastContext)
  if (!show) throw new Error('useToast needs a ToastProvider around it.')
  return show
}

function Toast({
  id,
  title,
  body,
  tone = 'plain',
  action,
  close,
}: ShownToast & { close: (id: number) => void }) {
  const [isHeld, setHeld] = useState(false)
  const lastsMs = action || tone === 'danger' ? shownForMs.withAction : shownForMs.alone
  useEffect(() => {
    if (isHeld) return undefined
    const timer = setTimeout(close, lastsMs, id)
    return () => clearTimeout(timer)
  }, [isHeld, lastsMs, close, id])

  return (
    <div
      role={tone === 'danger' ? 'alert' : undefined}
      // a toast that is read or about to be pressed stays
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
      className={clsx(
        'flex items-start gap-2.5 rounded-lg border border-line-raised bg-raised py-2.5 pr-2 pl-3.5 shadow-float',
        'transition-[opacity,translate] duration-180 select-none starting:translate-y-3 starting:opacity-0',
      )}
    >
      <Sign tone={tone} />
      <span className="min-w-0 grow py-0.5">
        <span className="block text-sm font-medium">{title}</span>
        {body && <span className="block text-muted">{body}</span>}
      </span>
      {action && (
        <button
          type="button"
          className={buttonClass({ size: 'sm' })}
          onClick={() => {
            close(id)
            action.onSelect()
          }}
        >
          {action.label}
        </button>
      )}
      <button
        type="button"
        aria-label="Dismiss"
        className={buttonClass({ variant: 'quiet', size: 'sm', square: true })}
        onClick={() => close(id)}
      >
        <Icon of={X} />
      </button>
    </div>
  )
}

function Sign({ tone }: { tone: ToastMessage['tone'] }) {
  if (tone === 'success') return <Icon of={CircleCheck} className="mt-1.5 text-success" />
  if (tone === 'danger') return <Icon of={CircleAlert} className="mt-1.5 text-danger-ink" />
  return null
}
