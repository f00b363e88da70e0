import { clsx } from 'clsx'
import { ChevronsUpDown } from 'lucide-react'
import type { ComponentPropsWithRef, ReactNode } from 'react'
import { Anchor } from '../Anchor'
import { Icon } from '../Icon'

/** Links of one kind, under a word if they need one. */
export function SidebarSection({ label, children }: { label?: string; children: ReactNode }) {
  return (
    <div className="flex flex-col gap-px">
      {label && <p className="px-2 pt-1 pb-1 text-2xs font-medium text-faint">{label}</p>}
      <ul className="flex flex-col gap-px">{children}</ul>
    </div>
  )
}

/** The page that is on its way is the one shown as current. */
const otherPendingClass =
  'in-[nav:has([data-pending])]:not-data-pending:bg-transparent! in-[nav:has([data-pending])]:not-data-pending:text-muted!'

/** Only the icon of the page that is on its way, or of the one shown, is green. */
const iconClass =
  'group-aria-[current=page]:text-accent-ink in-[nav:has([data-pending])]:text-faint! group-data-pending:text-accent-ink!'

export function SidebarLink({
  href,
  label,
  icon,
  current,
  count,
}: {
  href: string
  label: string
  icon?: ReactNode
  current?: boolean
  count?: number | string
}) {
  return (
    <li>
      <Anchor
        href={href}
        aria-current={current ? 'page' : undefined}
        className={clsx(
          'group flex h-8 items-center gap-2.5 rounded-md px-2 text-sm font-medium text-muted',
          'transition-colors hover:bg-hover hover:text-ink focus-visible:-outline-offset-2',
          'aria-[current=page]:bg-pressed aria-[current=page]:text-ink data-pending:bg-pressed data-pending:text-ink',
          otherPendingClass,
        )}
      >
        {icon && <span className={clsx('flex text-faint group-hover:text-muted', iconClass)}>{icon}</span>}
        <span className="grow truncate">{label}</span>
        {count !== undefined && <span className="text-xs font-normal text-faint">{count}</span>}
      </Anchor>
    </li>
  )
}

/** The current area at the top of the sidebar, and the button that leads to others. The trigger of a Menu. */
export function Switcher({
  sign,
  name,
  detail,
  ...button
}: { sign: ReactNode; name: string; detail?: string } & Omit<
  ComponentPropsWithRef<'button'>,
  'className' | 'name'
>) {
  return (
    <button
      {...button}
      type="button"
      className={clsx(
        'flex h-10 w-full min-w-0 items-center gap-2.5 rounded-md px-2 text-left transition-colors',
        'hover:bg-hover focus-visible:-outline-offset-2 data-popup-open:bg-hover',
      )}
    >
      <span
        aria-hidden
        className="grid size-6 shrink-0 place-items-center rounded-md bg-accent text-on-accent"
      >
        {sign}
      </span>
      <span className="flex min-w-0 grow flex-col leading-tight">
        <span className="truncate text-sm font-semibold">{name}</span>
        {detail && <span className="truncate text-2xs text-faint">{detail}</span>}
      </span>
      <Icon of={ChevronsUpDown} size="sm" className="text-faint" />
    </button>
  )
}
