import { headers } from 'next/headers'
import { notFound } from 'next/navigation'
import type { Site } from '../../posts/site'
import { getProduct } from '../product'
import { theVisit, visitIfAny } from './visit'

/** Where a page of the site begins: whose site it is, who is reading, and when. */
export function openSite() {
  const site = theSite()
  if (!site) notFound()
  return { site, visit: theVisit(), published: getProduct().published, now: new Date() }
}

export type OpenSite = ReturnType<typeof openSite>

/** Absent where it is switched off, and where nobody visits: at an address that is the studio's and is not there either. */
export function theSite(): Site | undefined {
  const projectId = visitIfAny()?.visit.projectId
  return projectId === undefined ? undefined : getProduct().published.site(projectId)
}

/** Next does not say it to layouts. */
export async function addressAsked(): Promise<URL> {
  return new URL((await headers()).get('x-tilth-address') ?? '/', 'http://site')
}

/** Addresses come as they were sent; slugs are written in letters. */
export function written(part: string): string {
  try {
    return decodeURIComponent(part).normalize('NFC')
  } catch {
    return part
  }
}
