import type { ReactNode } from 'react'
import { Anchor } from '../Anchor'
import { tabClass, tabListClass, type TabStyle } from './tab-style'

type LinkTab = {
  href: string
  label: string
  current?: boolean
  icon?: ReactNode
  count?: number | string
}

/** Views with an address each: links that look like tabs, so that back, reload and sharing work. */
export function LinkTabs({
  label,
  tabs,
  look: variant = 'line',
}: {
  label: string
  tabs: LinkTab[]
  look?: TabStyle
}) {
  return (
    <nav aria-label={label} className={tabListClass(variant)}>
      {tabs.map((tab) => (
        <Anchor
          key={tab.href}
          href={tab.href}
          aria-current={tab.current ? 'page' : undefined}
          className={tabClass(variant)}
        >
          {tab.icon}
          {tab.label}
          {tab.count !== undefined && <span className="text-xs font-normal text-faint">{tab.count}</span>}
        </Anchor>
      ))}
    </nav>
  )
}
