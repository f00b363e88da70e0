import { clsx } from 'clsx'
import { Info, TriangleAlert } from 'lucide-react'
import { useId } from 'react'
import type { ChartFrameProps } from './chart'
import { TableSwitch } from './internal/TableSwitch'
import { Icon } from '../Icon'

/** A panel for one chart: its name, what can be done with it, a switch to its table, and what to know about it. */
export function ChartFrame({
  title,
  description,
  empty,
  notice,
  footer,
  flush,
  children,
  ...head
}: ChartFrameProps) {
  const titleId = useId()
  return (
    <section
      aria-labelledby={titleId}
      className="chart-frame flex min-w-0 flex-col overflow-clip rounded-lg border border-line bg-surface"
    >
      <header className="flex min-h-12 flex-wrap items-start justify-between gap-x-3 px-4 pt-2.5 pb-1.5">
        <div className="min-w-0 grow basis-40 py-1">
          <h2 id={titleId} className="line-clamp-2 text-base leading-tight font-semibold wrap-anywhere">
            {title}
          </h2>
          {description && <p className="mt-0.5 text-xs text-muted">{description}</p>}
        </div>
        <div className="flex max-w-full min-w-0 items-center gap-1">
          {head.actions}
          {head.hasTable && !empty && <TableSwitch />}
        </div>
      </header>
      {notice && <Remark {...notice} />}
      <div className={clsx('min-w-0 grow', !flush && 'px-4 pt-1 pb-4')}>{empty ?? children}</div>
      {footer && <footer className="border-t border-line px-4 py-2.5 text-xs text-muted">{footer}</footer>}
    </section>
  )
}

const remarks = {
  info: { icon: Info, look: 'text-muted' },
  warning: { icon: TriangleAlert, look: 'text-warning-ink' },
}

function Remark({ tone, text }: NonNullable<ChartFrameProps['notice']>) {
  const { icon, look } = remarks[tone]
  return (
    <p className={clsx('flex items-start gap-1.5 px-4 pb-1.5 text-xs', look)}>
      <Icon of={icon} size="sm" className="mt-px" />
      <span className="min-w-0">{text}</span>
    </p>
  )
}
