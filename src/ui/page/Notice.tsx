import { clsx } from 'clsx'
import { CircleAlert, CircleCheck, Info, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { Icon } from '../Icon'

const tones = {
  info: { box: 'border-info-line bg-info-soft', sign: 'text-info', icon: Info },
  success: { box: 'border-success-line bg-success-soft', sign: 'text-success', icon: CircleCheck },
  warning: { box: 'border-warning-line bg-warning-soft', sign: 'text-warning', icon: TriangleAlert },
  danger: { box: 'border-danger-line bg-danger-soft', sign: 'text-danger-ink', icon: CircleAlert },
}

/** A message about the content below it. `urgent` interrupts a screen reader; the rest waits its turn. */
export function Notice({
  tone = 'info',
  title,
  children,
  action,
  urgent,
}: {
  tone?: keyof typeof tones
  title: string
  children?: ReactNode
  action?: ReactNode
  urgent?: boolean
}) {
  const { box, sign, icon } = tones[tone]
  return (
    <div
      role={urgent ? 'alert' : 'status'}
      className={clsx('flex gap-2.5 rounded-lg border px-3.5 py-3', box)}
    >
      <Icon of={icon} className={`mt-0.5 ${sign}`} />
      <div className="flex min-w-0 grow flex-wrap items-start justify-between gap-x-6 gap-y-2">
        <div className="min-w-0 wrap-anywhere">
          <p className="font-medium">{title}</p>
          {children && <div className="mt-0.5 text-muted">{children}</div>}
        </div>
        {action && <div className="-my-1 flex gap-2 print:hidden">{action}</div>}
      </div>
    </div>
  )
}
