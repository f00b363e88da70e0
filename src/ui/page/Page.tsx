import type { ReactNode } from 'react'
import { PageHeader, type PageHeaderProps } from './PageHeader'

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
