'use client'

import { usePathname } from 'next/navigation'
import { TextLink } from '#ui/Anchor'
import { nearestPage } from './nearest-page'

/** The page of the studio that a wrong address is most like. */
export function NearestPageLink() {
  const page = nearestPage(usePathname() ?? '')
  if (!page) return null
  return (
    <p>
      Did you mean <TextLink href={page.href}>{page.label}</TextLink>?
    </p>
  )
}
