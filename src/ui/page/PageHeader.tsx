import type { ReactNode } from 'react'
import { Breadcrumbs, type Crumb } from './Breadcrumbs'

export type PageHeaderProps = {
  title: ReactNode
  /** A state beside the title: a Badge. */
  badge?: ReactNode
  description?: ReactNode
  breadcrumbs?: Crumb[]
  actions?: ReactNode
  /** LinkTabs between the views of this thing. */
  tabs?: ReactNode
}

export function PageHeader({ title, badge, description, breadcrumbs, actions, tabs }: PageHeaderProps) {
  return (
    <header className="flex flex-col gap-4">
      <div className="flex flex-col gap-1.5">
        {breadcrumbs && <Breadcrumbs trail={breadcrumbs} />}
        <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
          {/* a long title wraps before the actions do */}
          <div className="min-w-48 flex-1">
            <div className="flex flex-wrap items-center gap-2.5">
              <h1 className="text-2xl font-semibold text-balance">{title}</h1>
              {badge}
            </div>
            {description && <p className="mt-1 max-w-xl text-pretty text-muted">{description}</p>}
          </div>
          {actions && (
            <div className="flex flex-wrap items-center gap-2 max-sm:gap-1.5 print:hidden">{actions}</div>
          )}
        </div>
      </div>
      {tabs && <div className="contents print:hidden">{tabs}</div>}
    </header>
  )
}
