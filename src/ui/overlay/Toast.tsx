'use client'

import { Toast as Base } from '@base-ui/react/toast'
import { clsx } from 'clsx'
import { CircleAlert, CircleCheck, X } from 'lucide-react'
import type { ReactNode } from 'react'
import { Icon } from '../Icon'
import { buttonClass } from '../keyboard/button-style'

export type ToastMessage = {
  /** What happened, in the past tense: "Flag archived". */
  title: string
  body?: ReactNode
  tone?: 'plain' | 'success' | 'danger'
  /** The way back, or on: Undo. */
  action?: { label: string; onSelect: () => void }
}

const shownForMs = { alone: 5000, withAction: 10_000 }

/** Once, around everything that may speak. */
export function ToastProvider({ children }: { children: ReactNode }) {
  return (
    <Base.Provider limit={4}>
      {children}
      <Base.Portal>
        <Base.Viewport className="fixed inset-x-4 bottom-4 z-toast flex flex-col-reverse gap-2 sm:left-auto sm:w-88">
          <Toasts />
        </Base.Viewport>
      </Base.Portal>
    </Base.Provider>
  )
}

/** Says in a corner that something was done: `say({ title: 'Flag archived', action: { label: 'Undo', onSelect } })`. */
export function useToast(): (message: ToastMessage) => void {
  const { add, close } = Base.useToastManager()

  return ({ title, body, tone = 'plain', action }) => {
    const id = add({
      title,
      description: body,
      type: tone,
      priority: tone === 'danger' ? 'high' : 'low',
      timeout: action || tone === 'danger' ? shownForMs.withAction : shownForMs.alone,
      actionProps: action && {
        children: action.label,
        onClick: () => {
          close(id)
          action.onSelect()
        },
      },
    })
  }
}

function Toasts() {
  const { toasts } = Base.useToastManager()
  return toasts.map((toast) => (
    <Base.Root
      key={toast.id}
      toast={toast}
      className={clsx(
        'rounded-lg border border-line-raised bg-raised shadow-float transition-[opacity,translate]',
        'duration-180 select-none data-ending-style:opacity-0 data-limited:hidden',
        'data-starting-style:translate-y-3 data-starting-style:opacity-0',
      )}
    >
      <Base.Content className="flex items-start gap-2.5 py-2.5 pr-2 pl-3.5">
        <Sign tone={toast.type} />
        <span className="min-w-0 grow py-0.5">
          <Base.Title className="text-sm font-medium" />
          <Base.Description className="text-muted empty:hidden" />
        </span>
        {toast.actionProps && <Base.Action className={buttonClass({ size: 'sm' })} />}
        <Base.Close
          aria-label="Dismiss"
          className={buttonClass({ variant: 'quiet', size: 'sm', square: true })}
        >
          <Icon of={X} />
        </Base.Close>
      </Base.Content>
    </Base.Root>
  ))
}

function Sign({ tone }: { tone?: string }) {
  if (tone === 'success') return <Icon of={CircleCheck} className="mt-1.5 text-success" />
  if (tone === 'danger') return <Icon of={CircleAlert} className="mt-1.5 text-danger-ink" />
  return null
}
