import { headers } from 'next/headers'
import { notFound } from 'next/navigation'
import type { Site } from '#posts/site'
import { getProduct } from '../product'
import { currentVisit, currentVisitIfAny } from './current-visit'

/** Opens the request of a site page: its site, its visit and the current time. */
export function openSite() {
  const site = currentSite()
  if (!site) notFound()
  const { published, prepared } = getProduct()
  return { site, visit: currentVisit(), published, prepared, now: new Date() }
}

export type OpenSite = ReturnType<typeof openSite>

/** The site of this request. Undefined where the site is switched off, and on a missing page of the studio. */
export function currentSite(): Site | undefined {
  const projectId = currentVisitIfAny()?.visit.projectId
  return projectId === undefined ? undefined : getProduct().published.site(projectId)
}

/** The address of this request. Next does not pass it to layouts. */
export async function requestUrl(): Promise<URL> {
  return new URL((await headers()).get('x-tilth-address') ?? '/', 'http://site')
}

/** Addresses come as they were sent; slugs are written in letters. */
export function decodeSlug(part: string): string {
  try {
    return decodeURIComponent(part).normalize('NFC')
  } catch {
    return part
  }
}
