import type { Metadata } from 'next'
import { iconsOf } from '#app/(site)/describe-page'
import { siteForKit } from '#app/(site)/kit/site-for-kit'
import { WithLayout } from '#app/(site)/kit/WithLayout'
import { openSite } from '#app/(site)/open-site'
import { fallbackFor } from '#ui/page/status-titles'

export function generateMetadata(): Metadata {
  const { site } = openSite()
  return {
    title: { absolute: fallbackFor(500).title },
    robots: { index: false, follow: true },
    icons: iconsOf(site),
  }
}

/** Stands in for a page that threw. The front requests it (site-serving/internal/error-pages.ts). */
export default function FailedPage() {
  const { site } = openSite()
  return <WithLayout name="error" props={{ site: siteForKit(site) }} parts={{}} />
}
