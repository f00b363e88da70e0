import { RotateCw, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button } from '../Button'
import { Icon } from '../Icon'

/** The failed action, the reason, and the way on. */
export function FailedMessage({
  title,
  body,
  onRetry,
  action,
  reference,
}: {
  title: string
  body?: ReactNode
  onRetry?: () => void
  action?: ReactNode
  /** The reference to quote when asking for help: a request id. */
  reference?: string
}) {
  return (
    <div role="alert" className="mx-auto flex max-w-md flex-col items-center px-6 py-12 text-center">
      <span
        aria-hidden
        className="mb-3 grid size-10 place-items-center rounded-lg border border-danger-line bg-danger-soft text-danger-ink"
      >
        <Icon of={TriangleAlert} size="lg" />
      </span>
      <p className="text-base font-semibold text-balance">{title}</p>
      {body && <div className="mt-1 text-pretty text-muted">{body}</div>}
      <div className="mt-4 flex flex-wrap justify-center gap-2 empty:hidden">
        {onRetry && (
          <Button icon={<Icon of={RotateCw} />} onClick={onRetry}>
            Try again
          </Button>
        )}
        {action}
      </div>
      {reference && <p className="mt-4 font-mono text-2xs text-faint">{reference}</p>}
    </div>
  )
}
