'use client'

import { usePathname } from 'next/navigation'
import { LinkTabs } from '#ui/page/LinkTabs'
import { paths } from '#studio/paths'

const pages = [
  { label: 'Profile', href: paths.account },
  { label: 'Security', href: paths.security() },
]

export function AccountTabs() {
  const pathname = usePathname()

  return (
    <LinkTabs label="Account" tabs={pages.map((page) => ({ ...page, current: pathname === page.href }))} />
  )
}
