import type { ReactNode } from 'react'
import { Breadcrumbs, type Crumb } from './Breadcrumbs'

const widths = { page: 'max-w-page', reading: 'max-w-2xl' }

/** A page inside an AppFrame: its header, and what it holds, at a width that can be read. */
export function Page({
  width = 'page',
  children,
  ...header
}: PageHeaderProps & { width?: keyof typeof widths; children: ReactNode }) {
  return (
    <div className={`mx-auto flex w-full flex-col gap-6 px-4 py-6 sm:px-6 lg:px-8 ${widths[width]}`}>
      <PageHeader {...header} />
      {children}
    </div>
  )
}

type PageHeaderProps = {
  title: ReactNode
  /** A state beside the title: a Badge. */
  badge?: ReactNode
  description?: ReactNode
  breadcrumbs?: Crumb[]
  actions?: ReactNode
  /** LinkTabs between the views of this thing. */
  tabs?: ReactNode
}

/** Tabs stand at one height in all pages of a section, so the description, which some of them have, is below. */
function PageHeader({ title, badge, description, breadcrumbs, actions, tabs }: PageHeaderProps) {
  return (
    <header className="flex flex-col gap-4">
      <div className="flex flex-col gap-1.5">
        {breadcrumbs && <Breadcrumbs trail={breadcrumbs} />}
        <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
          {/* a long title wraps before the actions do */}
          <div className="min-w-48 flex-1">
            <div className="flex min-h-8 flex-wrap items-center gap-2.5">
              <h1 className="text-2xl font-semibold text-balance">{title}</h1>
              {badge}
            </div>
            {description && !tabs && <Description>{description}</Description>}
          </div>
          {actions && (
            <div className="flex flex-wrap items-center gap-2 max-sm:gap-1.5 print:hidden">{actions}</div>
          )}
        </div>
      </div>
      {tabs && <div className="contents print:hidden">{tabs}</div>}
      {description && tabs && <Description>{description}</Description>}
    </header>
  )
}

const Description = ({ children }: { children: ReactNode }) => (
  <p className="mt-1 max-w-xl text-pretty text-muted">{children}</p>
)
