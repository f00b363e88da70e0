'use client'

import { usePathname } from 'next/navigation'
import { LinkTabs } from '#ui/page/LinkTabs'
import { settingsPages } from './pages'

export function SettingsTabs({ slug }: { slug: string }) {
  const pathname = usePathname()
  const tabs = settingsPages.map(({ label, path }) => ({
    label,
    href: path(slug),
    current: pathname === path(slug),
  }))

  return <LinkTabs label="Settings" tabs={tabs} />
}
